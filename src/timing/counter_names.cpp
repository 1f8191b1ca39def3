#include "timing/counter_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace wavetank::timing {
namespace {

/// Which instances a counter exists in: one for each shader engine or for each CU.
enum class Instances : std::uint8_t { kEngine, kUnit };

/// How what was counted becomes what is reported.
enum class Counted : std::uint8_t {
  kPlain,
  kQuad,    ///< in units of four clocks (ROCm documentation, SQ counters)
  kStarts,  ///< plain, when a wave or workgroup starts: known of those that are not simulated, too
};

struct CuName {
  std::string_view name;
  CuCounter counter;
  Instances instances;
  Counted counted;
};

using enum Counted;
constexpr auto kEngine = Instances::kEngine;
constexpr auto kUnit = Instances::kUnit;

constexpr std::array kCuNames = {
    CuName{"SQ_WAVES", CuCounter::kSqWaves, kEngine, kStarts},
    CuName{"SQ_WAVES_EQ_64", CuCounter::kSqWavesEq64, kEngine, kStarts},
    CuName{"SQ_WAVES_LT_64", CuCounter::kSqWavesLt64, kEngine, kStarts},
    CuName{"SQ_WAVES_LT_48", CuCounter::kSqWavesLt48, kEngine, kStarts},
    CuName{"SQ_WAVES_LT_32", CuCounter::kSqWavesLt32, kEngine, kStarts},
    CuName{"SQ_WAVES_LT_16", CuCounter::kSqWavesLt16, kEngine, kStarts},
    CuName{"SQ_ITEMS", CuCounter::kSqItems, kEngine, kStarts},
    CuName{"SQ_INSTS", CuCounter::kSqInsts, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU", CuCounter::kSqInstsValu, kEngine, kPlain},
    CuName{"SQ_INSTS_MFMA", CuCounter::kSqInstsMfma, kEngine, kPlain},
    CuName{"SQ_INSTS_SALU", CuCounter::kSqInstsSalu, kEngine, kPlain},
    CuName{"SQ_INSTS_SMEM", CuCounter::kSqInstsSmem, kEngine, kPlain},
    CuName{"SQ_INSTS_SMEM_NORM", CuCounter::kSqInstsSmemNorm, kEngine, kPlain},
    CuName{"SQ_INSTS_VMEM", CuCounter::kSqInstsVmem, kEngine, kPlain},
    CuName{"SQ_INSTS_VMEM_RD", CuCounter::kSqInstsVmemRd, kEngine, kPlain},
    CuName{"SQ_INSTS_VMEM_WR", CuCounter::kSqInstsVmemWr, kEngine, kPlain},
    CuName{"SQ_INSTS_FLAT", CuCounter::kSqInstsFlat, kEngine, kPlain},
    CuName{"SQ_INSTS_FLAT_LDS_ONLY", CuCounter::kSqInstsFlatLdsOnly, kEngine, kPlain},
    CuName{"SQ_INSTS_LDS", CuCounter::kSqInstsLds, kEngine, kPlain},
    CuName{"SQ_INSTS_GDS", CuCounter::kSqInstsGds, kEngine, kPlain},
    CuName{"SQ_INSTS_BRANCH", CuCounter::kSqInstsBranch, kEngine, kPlain},
    CuName{"SQ_INSTS_SENDMSG", CuCounter::kSqInstsSendmsg, kEngine, kPlain},
    CuName{"SQ_INSTS_EXP_GDS", CuCounter::kSqInstsExpGds, kEngine, kPlain},
    CuName{"SQ_INSTS_VSKIPPED", CuCounter::kSqInstsVskipped, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_ADD_F16", CuCounter::kSqInstsValuAddF16, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MUL_F16", CuCounter::kSqInstsValuMulF16, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_FMA_F16", CuCounter::kSqInstsValuFmaF16, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_TRANS_F16", CuCounter::kSqInstsValuTransF16, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_ADD_F32", CuCounter::kSqInstsValuAddF32, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MUL_F32", CuCounter::kSqInstsValuMulF32, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_FMA_F32", CuCounter::kSqInstsValuFmaF32, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_TRANS_F32", CuCounter::kSqInstsValuTransF32, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_ADD_F64", CuCounter::kSqInstsValuAddF64, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MUL_F64", CuCounter::kSqInstsValuMulF64, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_FMA_F64", CuCounter::kSqInstsValuFmaF64, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_TRANS_F64", CuCounter::kSqInstsValuTransF64, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_INT32", CuCounter::kSqInstsValuInt32, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_INT64", CuCounter::kSqInstsValuInt64, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_CVT", CuCounter::kSqInstsValuCvt, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_I8", CuCounter::kSqInstsValuMfmaI8, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_F8", CuCounter::kSqInstsValuMfmaF8, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_F16", CuCounter::kSqInstsValuMfmaF16, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_BF16", CuCounter::kSqInstsValuMfmaBf16, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_F32", CuCounter::kSqInstsValuMfmaF32, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_F64", CuCounter::kSqInstsValuMfmaF64, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_MOPS_I8", CuCounter::kSqInstsValuMfmaMopsI8, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_MOPS_F8", CuCounter::kSqInstsValuMfmaMopsF8, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_MOPS_F16", CuCounter::kSqInstsValuMfmaMopsF16, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_MOPS_BF16", CuCounter::kSqInstsValuMfmaMopsBf16, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_MOPS_F32", CuCounter::kSqInstsValuMfmaMopsF32, kEngine, kPlain},
    CuName{"SQ_INSTS_VALU_MFMA_MOPS_F64", CuCounter::kSqInstsValuMfmaMopsF64, kEngine, kPlain},
    // Quad-cycles of each of four SIMDs ("per-simd", rocprofiler-compute's gfx908_metrics.xml), and
    // so cycles of the CU: its vcopy workload on MI200 has 15,300 for each CU and 16,400 of
    // SQ_BUSY_CYCLES for each shader engine.
    CuName{"SQ_BUSY_CU_CYCLES", CuCounter::kSqBusyCuCycles, kEngine, kPlain},
    CuName{"SQ_WAVE_CYCLES", CuCounter::kSqWaveCycles, kEngine, kQuad},
    CuName{"SQ_WAIT_ANY", CuCounter::kSqWaitAny, kEngine, kQuad},
    CuName{"SQ_WAIT_INST_ANY", CuCounter::kSqWaitInstAny, kEngine, kQuad},
    CuName{"SQ_WAIT_INST_LDS", CuCounter::kSqWaitInstLds, kEngine, kQuad},
    CuName{"SQ_ACTIVE_INST_ANY", CuCounter::kSqActiveInstAny, kEngine, kQuad},
    CuName{"SQ_ACTIVE_INST_VALU", CuCounter::kSqActiveInstValu, kEngine, kQuad},
    CuName{"SQ_ACTIVE_INST_SCA", CuCounter::kSqActiveInstSca, kEngine, kQuad},
    CuName{"SQ_ACTIVE_INST_LDS", CuCounter::kSqActiveInstLds, kEngine, kQuad},
    CuName{"SQ_ACTIVE_INST_VMEM", CuCounter::kSqActiveInstVmem, kEngine, kQuad},
    CuName{"SQ_ACTIVE_INST_FLAT", CuCounter::kSqActiveInstFlat, kEngine, kQuad},
    CuName{"SQ_ACTIVE_INST_MISC", CuCounter::kSqActiveInstMisc, kEngine, kQuad},
    CuName{"SQ_ACTIVE_INST_EXP_GDS", CuCounter::kSqActiveInstExpGds, kEngine, kQuad},
    CuName{"SQ_THREAD_CYCLES_VALU", CuCounter::kSqThreadCyclesValu, kEngine, kQuad},
    CuName{"SQ_INST_CYCLES_SALU", CuCounter::kSqInstCyclesSalu, kEngine, kQuad},
    CuName{"SQ_INST_CYCLES_SMEM", CuCounter::kSqInstCyclesSmem, kEngine, kQuad},
    CuName{"SQ_INST_CYCLES_VMEM_RD", CuCounter::kSqInstCyclesVmemRd, kEngine, kQuad},
    CuName{"SQ_INST_CYCLES_VMEM_WR", CuCounter::kSqInstCyclesVmemWr, kEngine, kQuad},
    CuName{"SQ_VALU_MFMA_BUSY_CYCLES", CuCounter::kSqValuMfmaBusyCycles, kEngine, kPlain},
    CuName{"SQ_IFETCH", CuCounter::kSqIfetch, kEngine, kPlain},
    CuName{"SQ_IFETCH_LEVEL", CuCounter::kSqIfetchLevel, kEngine, kPlain},
    CuName{"SQ_INST_LEVEL_VMEM", CuCounter::kSqInstLevelVmem, kEngine, kPlain},
    CuName{"SQ_INST_LEVEL_SMEM", CuCounter::kSqInstLevelSmem, kEngine, kPlain},
    CuName{"SQ_INST_LEVEL_LDS", CuCounter::kSqInstLevelLds, kEngine, kPlain},
    CuName{"SQ_LEVEL_WAVES", CuCounter::kSqLevelWaves, kEngine, kPlain},
    CuName{"SQ_LDS_IDX_ACTIVE", CuCounter::kSqLdsIdxActive, kEngine, kPlain},
    CuName{"SQ_LDS_BANK_CONFLICT", CuCounter::kSqLdsBankConflict, kEngine, kPlain},
    CuName{"SQ_LDS_ADDR_CONFLICT", CuCounter::kSqLdsAddrConflict, kEngine, kPlain},
    CuName{"SQ_LDS_MEM_VIOLATIONS", CuCounter::kSqLdsMemViolations, kEngine, kPlain},
    CuName{"SQ_LDS_ATOMIC_RETURN", CuCounter::kSqLdsAtomicReturn, kEngine, kPlain},
    CuName{"SPI_CSN_WAVE", CuCounter::kSpiCsnWave, kEngine, kStarts},
    CuName{"SPI_CSN_NUM_THREADGROUPS", CuCounter::kSpiCsnNumThreadgroups, kEngine, kStarts},
    CuName{"SPI_VWC_CSC_WR", CuCounter::kSpiVwcCscWr, kEngine, kStarts},
    CuName{"SPI_SWC_CSC_WR", CuCounter::kSpiSwcCscWr, kEngine, kStarts},
    CuName{"TA_TA_BUSY", CuCounter::kTaTaBusy, kUnit, kPlain},
    CuName{"TA_TOTAL_WAVEFRONTS", CuCounter::kTaTotalWavefronts, kUnit, kPlain},
    CuName{"TA_FLAT_WAVEFRONTS", CuCounter::kTaFlatWavefronts, kUnit, kPlain},
    CuName{"TA_FLAT_READ_WAVEFRONTS", CuCounter::kTaFlatReadWavefronts, kUnit, kPlain},
    CuName{"TA_FLAT_WRITE_WAVEFRONTS", CuCounter::kTaFlatWriteWavefronts, kUnit, kPlain},
    CuName{"TA_FLAT_ATOMIC_WAVEFRONTS", CuCounter::kTaFlatAtomicWavefronts, kUnit, kPlain},
    CuName{"TA_BUFFER_WAVEFRONTS", CuCounter::kTaBufferWavefronts, kUnit, kPlain},
    CuName{"TA_BUFFER_READ_WAVEFRONTS", CuCounter::kTaBufferReadWavefronts, kUnit, kPlain},
    CuName{"TA_BUFFER_WRITE_WAVEFRONTS", CuCounter::kTaBufferWriteWavefronts, kUnit, kPlain},
    CuName{"TA_BUFFER_ATOMIC_WAVEFRONTS", CuCounter::kTaBufferAtomicWavefronts, kUnit, kPlain},
    CuName{"TA_BUFFER_TOTAL_CYCLES", CuCounter::kTaBufferTotalCycles, kUnit, kPlain},
    CuName{"TD_TD_BUSY", CuCounter::kTdTdBusy, kUnit, kPlain},
    CuName{"TD_TC_STALL", CuCounter::kTdTcStall, kUnit, kPlain},
    CuName{"TD_LOAD_WAVEFRONT", CuCounter::kTdLoadWavefront, kUnit, kPlain},
    CuName{"TD_STORE_WAVEFRONT", CuCounter::kTdStoreWavefront, kUnit, kPlain},
    CuName{"TD_ATOMIC_WAVEFRONT", CuCounter::kTdAtomicWavefront, kUnit, kPlain},
    CuName{"TD_COALESCABLE_WAVEFRONT", CuCounter::kTdCoalescableWavefront, kUnit, kPlain},
    CuName{"TCP_TA_TCP_STATE_READ", CuCounter::kTcpTaTcpStateRead, kUnit, kPlain},
    CuName{"TCP_TOTAL_ACCESSES", CuCounter::kTcpTotalAccesses, kUnit, kPlain},
    CuName{"TCP_TOTAL_CACHE_ACCESSES", CuCounter::kTcpTotalCacheAccesses, kUnit, kPlain},
    CuName{"TCP_TOTAL_READ", CuCounter::kTcpTotalRead, kUnit, kPlain},
    CuName{"TCP_TOTAL_WRITE", CuCounter::kTcpTotalWrite, kUnit, kPlain},
    CuName{"TCP_TOTAL_ATOMIC_WITH_RET", CuCounter::kTcpTotalAtomicWithRet, kUnit, kPlain},
    CuName{"TCP_TOTAL_ATOMIC_WITHOUT_RET", CuCounter::kTcpTotalAtomicWithoutRet, kUnit, kPlain},
    CuName{"TCP_TOTAL_WRITEBACK_INVALIDATES", CuCounter::kTcpTotalWritebackInvalidates, kUnit,
           kPlain},
    CuName{"TCP_TCC_READ_REQ", CuCounter::kTcpTccReadReq, kUnit, kPlain},
    CuName{"TCP_TCC_WRITE_REQ", CuCounter::kTcpTccWriteReq, kUnit, kPlain},
    CuName{"TCP_TCC_ATOMIC_WITH_RET_REQ", CuCounter::kTcpTccAtomicWithRetReq, kUnit, kPlain},
    CuName{"TCP_TCC_ATOMIC_WITHOUT_RET_REQ", CuCounter::kTcpTccAtomicWithoutRetReq, kUnit, kPlain},
    CuName{"TCP_TCC_NC_READ_REQ", CuCounter::kTcpTccNcReadReq, kUnit, kPlain},
    CuName{"TCP_TCC_NC_WRITE_REQ", CuCounter::kTcpTccNcWriteReq, kUnit, kPlain},
    CuName{"TCP_TCC_NC_ATOMIC_REQ", CuCounter::kTcpTccNcAtomicReq, kUnit, kPlain},
    CuName{"TCP_TCC_RW_READ_REQ", CuCounter::kTcpTccRwReadReq, kUnit, kPlain},
    CuName{"TCP_TCC_RW_WRITE_REQ", CuCounter::kTcpTccRwWriteReq, kUnit, kPlain},
    CuName{"TCP_TCC_RW_ATOMIC_REQ", CuCounter::kTcpTccRwAtomicReq, kUnit, kPlain},
    CuName{"TCP_TCC_UC_READ_REQ", CuCounter::kTcpTccUcReadReq, kUnit, kPlain},
    CuName{"TCP_TCC_UC_WRITE_REQ", CuCounter::kTcpTccUcWriteReq, kUnit, kPlain},
    CuName{"TCP_TCC_UC_ATOMIC_REQ", CuCounter::kTcpTccUcAtomicReq, kUnit, kPlain},
    CuName{"TCP_TCC_CC_READ_REQ", CuCounter::kTcpTccCcReadReq, kUnit, kPlain},
    CuName{"TCP_TCC_CC_WRITE_REQ", CuCounter::kTcpTccCcWriteReq, kUnit, kPlain},
    CuName{"TCP_TCC_CC_ATOMIC_REQ", CuCounter::kTcpTccCcAtomicReq, kUnit, kPlain},
    CuName{"TCP_UTCL1_TRANSLATION_HIT", CuCounter::kTcpUtcl1TranslationHit, kUnit, kPlain},
    CuName{"TCP_UTCL1_TRANSLATION_MISS", CuCounter::kTcpUtcl1TranslationMiss, kUnit, kPlain},
    CuName{"TCP_UTCL1_REQUEST", CuCounter::kTcpUtcl1Request, kUnit, kPlain},
    CuName{"TCP_UTCL1_PERMISSION_MISS", CuCounter::kTcpUtcl1PermissionMiss, kUnit, kPlain},
    CuName{"TCP_PENDING_STALL_CYCLES", CuCounter::kTcpPendingStallCycles, kUnit, kPlain},
    CuName{"TCP_TCC_READ_REQ_LATENCY", CuCounter::kTcpTccReadReqLatency, kUnit, kPlain},
    CuName{"TCP_TCC_WRITE_REQ_LATENCY", CuCounter::kTcpTccWriteReqLatency, kUnit, kPlain},
    CuName{"SQC_DCACHE_REQ", CuCounter::kSqcDcacheReq, kEngine, kPlain},
    CuName{"SQC_DCACHE_HITS", CuCounter::kSqcDcacheHits, kEngine, kPlain},
    CuName{"SQC_DCACHE_MISSES", CuCounter::kSqcDcacheMisses, kEngine, kPlain},
    CuName{"SQC_DCACHE_MISSES_DUPLICATE", CuCounter::kSqcDcacheMissesDuplicate, kEngine, kPlain},
    CuName{"SQC_DCACHE_REQ_READ_1", CuCounter::kSqcDcacheReqRead1, kEngine, kPlain},
    CuName{"SQC_DCACHE_REQ_READ_2", CuCounter::kSqcDcacheReqRead2, kEngine, kPlain},
    CuName{"SQC_DCACHE_REQ_READ_4", CuCounter::kSqcDcacheReqRead4, kEngine, kPlain},
    CuName{"SQC_DCACHE_REQ_READ_8", CuCounter::kSqcDcacheReqRead8, kEngine, kPlain},
    CuName{"SQC_DCACHE_REQ_READ_16", CuCounter::kSqcDcacheReqRead16, kEngine, kPlain},
    CuName{"SQC_TC_DATA_READ_REQ", CuCounter::kSqcTcDataReadReq, kEngine, kPlain},
    CuName{"SQC_TC_INST_REQ", CuCounter::kSqcTcInstReq, kEngine, kPlain},
    CuName{"SQC_TC_REQ", CuCounter::kSqcTcReq, kEngine, kPlain},
    CuName{"SQC_ICACHE_REQ", CuCounter::kSqcIcacheReq, kEngine, kPlain},
    CuName{"SQC_ICACHE_HITS", CuCounter::kSqcIcacheHits, kEngine, kPlain},
    CuName{"SQC_ICACHE_MISSES", CuCounter::kSqcIcacheMisses, kEngine, kPlain},
    CuName{"SQC_ICACHE_MISSES_DUPLICATE", CuCounter::kSqcIcacheMissesDuplicate, kEngine, kPlain},
};
static_assert(kCuNames.size() == kCuCounterCount);

/// With the target's name of the port to the fabric between prefix and rest, if there is a rest.
struct ChannelName {
  std::string_view prefix, rest;
  ChannelCounter counter;
};
constexpr std::array kChannelNames = {
    ChannelName{"TCC_REQ", "", ChannelCounter::kReq},
    ChannelName{"TCC_READ", "", ChannelCounter::kRead},
    ChannelName{"TCC_WRITE", "", ChannelCounter::kWrite},
    ChannelName{"TCC_ATOMIC", "", ChannelCounter::kAtomic},
    ChannelName{"TCC_HIT", "", ChannelCounter::kHit},
    ChannelName{"TCC_MISS", "", ChannelCounter::kMiss},
    ChannelName{"TCC_STREAMING_REQ", "", ChannelCounter::kStreamingReq},
    ChannelName{"TCC_NC_REQ", "", ChannelCounter::kNcReq},
    ChannelName{"TCC_RW_REQ", "", ChannelCounter::kRwReq},
    ChannelName{"TCC_UC_REQ", "", ChannelCounter::kUcReq},
    ChannelName{"TCC_CC_REQ", "", ChannelCounter::kCcReq},
    ChannelName{"TCC_", "_RDREQ", ChannelCounter::kEaRdreq},
    ChannelName{"TCC_", "_RDREQ_DRAM", ChannelCounter::kEaRdreqDram},
    ChannelName{"TCC_", "_RDREQ_32B", ChannelCounter::kEaRdreq32B},
    ChannelName{"TCC_BUBBLE", "", ChannelCounter::kBubble},
    ChannelName{"TCC_", "_WRREQ", ChannelCounter::kEaWrreq},
    ChannelName{"TCC_", "_WRREQ_64B", ChannelCounter::kEaWrreq64B},
    ChannelName{"TCC_", "_WRREQ_DRAM", ChannelCounter::kEaWrreqDram},
    ChannelName{"TCC_", "_ATOMIC", ChannelCounter::kEaAtomic},
    ChannelName{"TCC_", "_RDREQ_LEVEL", ChannelCounter::kEaRdreqLevel},
    ChannelName{"TCC_", "_WRREQ_LEVEL", ChannelCounter::kEaWrreqLevel},
    ChannelName{"TCC_", "_ATOMIC_LEVEL", ChannelCounter::kEaAtomicLevel},
    ChannelName{"TCC_WRITEBACK", "", ChannelCounter::kWriteback},
    ChannelName{"TCC_NORMAL_WRITEBACK", "", ChannelCounter::kNormalWriteback},
    ChannelName{"TCC_ALL_TC_OP_WB_WRITEBACK", "", ChannelCounter::kAllTcOpWbWriteback},
    ChannelName{"TCC_NORMAL_EVICT", "", ChannelCounter::kNormalEvict},
};
static_assert(kChannelNames.size() == kChannelCounterCount);

/// Adds one instance's value.
void add(profile::CounterValue& value, double one) {
  value.sum += one;
  value.max = std::max(value.max, one);
}

using CuSums = std::array<double, kCuCounterCount>;

/// The counters of all CUs, put together.
struct UnitSums {
  std::vector<CuSums> of_engine;
  CuSums most_of_unit = {};  ///< that one CU has
  CuSums of_caches = {};     ///< of those that CUs share
};

UnitSums sums_of_units(const LaunchFacts& facts) {
  UnitSums sums{.of_engine = std::vector<CuSums>(facts.spec.shader_engines)};
  for (std::uint32_t cu = 0; cu < facts.units.size(); ++cu) {
    const CuCounters& counters = facts.units[cu].counters();
    CuSums& engine = sums.of_engine[facts.dispatcher.engine_of(cu)];
    for (std::size_t i = 0; i < kCuCounterCount; ++i) {
      const auto one = static_cast<double>(counters.at(i));
      engine[i] += one;
      sums.most_of_unit[i] = std::max(sums.most_of_unit[i], one);
    }
  }
  for (const UnitCluster& cluster : facts.clusters) {
    for (std::size_t i = 0; i < kCuCounterCount; ++i) {
      sums.of_caches[i] += static_cast<double>(cluster.caches->counters.at(i));
    }
  }
  return sums;
}

void collect_of_units(const LaunchFacts& facts, CounterMap& counters) {
  const auto started = static_cast<double>(facts.dispatcher.started());
  const double groups = started > 0 ? static_cast<double>(facts.workgroups) / started : 1;
  const UnitSums sums = sums_of_units(facts);
  for (const CuName& row : kCuNames) {
    const auto index = static_cast<std::size_t>(row.counter);
    const double divisor = row.counted == kQuad ? 4 : 1;
    const bool of_engine = row.instances == Instances::kEngine;
    profile::CounterValue value;
    for (const CuSums& engine : sums.of_engine) add(value, engine[index] / divisor);
    value.sum += sums.of_caches[index];
    // What exists for each CU is largest in one, not in an engine.
    if (!of_engine) value.max = sums.most_of_unit[index] / divisor;
    const double scale = row.counted == kStarts ? groups : facts.scale;
    value.sum = scale == 1 ? value.sum : std::round(value.sum * scale);
    value.max = scale == 1 ? value.max : std::round(value.max * scale);
    value.instances = static_cast<double>(of_engine ? sums.of_engine.size() : facts.units.size());
    counters[std::string(row.name)] = value;
  }
}

void collect_of_channels(const LaunchFacts& facts, CounterMap& counters) {
  for (const ChannelName& row : kChannelNames) {
    profile::CounterValue value;
    for (const MemoryCounts::Channel& channel : facts.memory.channels) {
      add(value, std::round(channel[static_cast<std::size_t>(row.counter)]));
    }
    value.instances = static_cast<double>(facts.memory.channels.size());
    const std::string_view port = row.rest.empty() ? "" : facts.spec.target->fabric_port;
    counters[fmt::format("{}{}{}", row.prefix, port, row.rest)] = value;
  }
}

}  // namespace

void collect_counters(const LaunchFacts& facts, CounterMap& counters) {
  collect_of_units(facts, counters);
  collect_of_channels(facts, counters);
}

}  // namespace wavetank::timing
