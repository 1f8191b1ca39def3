// The raw hardware counters that the model counts, one bank for each block instance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wavetank::timing {

/// Counters of a CU (SQ, SPI, TA, TD, TCP) and of the scalar and instruction caches beside it, with
/// their names in counter_names.cpp. Quad-cycle counters are kept in clocks and divided when
/// reported.
enum class CuCounter : std::uint16_t {
  kSqWaves,
  kSqWavesEq64,
  kSqWavesLt64,
  kSqWavesLt48,
  kSqWavesLt32,
  kSqWavesLt16,
  kSqItems,
  kSqInsts,
  kSqInstsValu,
  kSqInstsMfma,
  kSqInstsSalu,
  kSqInstsSmem,
  kSqInstsSmemNorm,
  kSqInstsVmem,
  kSqInstsVmemRd,
  kSqInstsVmemWr,
  kSqInstsFlat,
  kSqInstsFlatLdsOnly,
  kSqInstsLds,
  kSqInstsGds,
  kSqInstsBranch,
  kSqInstsSendmsg,
  kSqInstsExpGds,
  kSqInstsVskipped,
  kSqInstsValuAddF16,
  kSqInstsValuMulF16,
  kSqInstsValuFmaF16,
  kSqInstsValuTransF16,
  kSqInstsValuAddF32,
  kSqInstsValuMulF32,
  kSqInstsValuFmaF32,
  kSqInstsValuTransF32,
  kSqInstsValuAddF64,
  kSqInstsValuMulF64,
  kSqInstsValuFmaF64,
  kSqInstsValuTransF64,
  kSqInstsValuInt32,
  kSqInstsValuInt64,
  kSqInstsValuCvt,
  kSqInstsValuMfmaI8,
  kSqInstsValuMfmaF8,
  kSqInstsValuMfmaF16,
  kSqInstsValuMfmaBf16,
  kSqInstsValuMfmaF32,
  kSqInstsValuMfmaF64,
  kSqInstsValuMfmaMopsI8,
  kSqInstsValuMfmaMopsF8,
  kSqInstsValuMfmaMopsF16,
  kSqInstsValuMfmaMopsBf16,
  kSqInstsValuMfmaMopsF32,
  kSqInstsValuMfmaMopsF64,
  kSqBusyCuCycles,
  kSqWaveCycles,
  kSqWaitAny,
  kSqWaitInstAny,
  kSqWaitInstLds,
  kSqActiveInstAny,
  kSqActiveInstValu,
  kSqActiveInstSca,
  kSqActiveInstLds,
  kSqActiveInstVmem,
  kSqActiveInstFlat,
  kSqActiveInstMisc,
  kSqActiveInstExpGds,
  kSqThreadCyclesValu,
  kSqInstCyclesSalu,
  kSqInstCyclesSmem,
  kSqInstCyclesVmemRd,
  kSqInstCyclesVmemWr,
  kSqValuMfmaBusyCycles,
  kSqIfetch,
  kSqIfetchLevel,
  kSqInstLevelVmem,
  kSqInstLevelSmem,
  kSqInstLevelLds,
  kSqLevelWaves,
  kSqLdsIdxActive,
  kSqLdsBankConflict,
  kSqLdsAddrConflict,
  kSqLdsMemViolations,
  kSqLdsAtomicReturn,
  kSpiCsnWave,
  kSpiCsnNumThreadgroups,
  kSpiVwcCscWr,
  kSpiSwcCscWr,
  kTaTaBusy,
  kTaTotalWavefronts,
  kTaFlatWavefronts,
  kTaFlatReadWavefronts,
  kTaFlatWriteWavefronts,
  kTaFlatAtomicWavefronts,
  kTaBufferWavefronts,
  kTaBufferReadWavefronts,
  kTaBufferWriteWavefronts,
  kTaBufferAtomicWavefronts,
  kTaBufferTotalCycles,
  kTdTdBusy,
  kTdTcStall,
  kTdLoadWavefront,
  kTdStoreWavefront,
  kTdAtomicWavefront,
  kTdCoalescableWavefront,
  kTcpTaTcpStateRead,
  kTcpTotalAccesses,
  kTcpTotalCacheAccesses,
  kTcpTotalRead,
  kTcpTotalWrite,
  kTcpTotalAtomicWithRet,
  kTcpTotalAtomicWithoutRet,
  kTcpTotalWritebackInvalidates,
  kTcpTccReadReq,
  kTcpTccWriteReq,
  kTcpTccAtomicWithRetReq,
  kTcpTccAtomicWithoutRetReq,
  kTcpTccNcReadReq,
  kTcpTccNcWriteReq,
  kTcpTccNcAtomicReq,
  kTcpTccRwReadReq,
  kTcpTccRwWriteReq,
  kTcpTccRwAtomicReq,
  kTcpTccUcReadReq,
  kTcpTccUcWriteReq,
  kTcpTccUcAtomicReq,
  kTcpTccCcReadReq,
  kTcpTccCcWriteReq,
  kTcpTccCcAtomicReq,
  kTcpUtcl1TranslationHit,
  kTcpUtcl1TranslationMiss,
  kTcpUtcl1Request,
  kTcpUtcl1PermissionMiss,
  kTcpPendingStallCycles,
  kTcpTccReadReqLatency,
  kTcpTccWriteReqLatency,
  kSqcDcacheReq,
  kSqcDcacheHits,
  kSqcDcacheMisses,
  kSqcDcacheMissesDuplicate,
  kSqcDcacheReqRead1,
  kSqcDcacheReqRead2,
  kSqcDcacheReqRead4,
  kSqcDcacheReqRead8,
  kSqcDcacheReqRead16,
  kSqcTcDataReadReq,
  kSqcTcInstReq,
  kSqcTcReq,
  kSqcIcacheReq,
  kSqcIcacheHits,
  kSqcIcacheMisses,
  kSqcIcacheMissesDuplicate,
  kCount,
};
inline constexpr std::size_t kCuCounterCount = static_cast<std::size_t>(CuCounter::kCount);

/// Counters of an L2 channel and its port to the fabric.
enum class ChannelCounter : std::uint8_t {
  kReq,
  kRead,
  kWrite,
  kAtomic,
  kHit,
  kMiss,
  kStreamingReq,
  kNcReq,
  kRwReq,
  kUcReq,
  kCcReq,
  kEaRdreq,
  kEaRdreqDram,
  kEaRdreq32B,  ///< stays 0: reads of the model are of 64 or 128 bytes
  kBubble,
  kEaWrreq,
  kEaWrreq64B,
  kEaWrreqDram,
  kEaAtomic,
  kEaRdreqLevel,
  kEaWrreqLevel,
  kEaAtomicLevel,
  kWriteback,
  kNormalWriteback,
  kAllTcOpWbWriteback,
  kNormalEvict,
  kCount,
};
inline constexpr std::size_t kChannelCounterCount =
    static_cast<std::size_t>(ChannelCounter::kCount);

/// A block's counters.
template <class Counter, std::size_t kCount>
class CounterBank {
 public:
  void add(Counter counter, std::uint64_t amount = 1) {
    value_[static_cast<std::size_t>(counter)] += amount;
  }
  std::uint64_t operator[](Counter counter) const {
    return value_[static_cast<std::size_t>(counter)];
  }
  std::uint64_t at(std::size_t index) const { return value_[index]; }
  void clear() { value_ = {}; }

 private:
  std::array<std::uint64_t, kCount> value_ = {};
};
using CuCounters = CounterBank<CuCounter, kCuCounterCount>;
using ChannelCounters = CounterBank<ChannelCounter, kChannelCounterCount>;

}  // namespace wavetank::timing
