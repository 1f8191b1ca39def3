#include "timing/units/issue_counting.hpp"

#include <array>
#include <bit>

namespace wavetank::timing {

using machine::Port;
using machine::Step;
using machine::StepFacts;

namespace {

/// Operations of matrix instructions are counted in units of so many.
constexpr std::uint64_t kMopsUnit = 512;

/// What a scalar memory instruction counts in SQ_INSTS_SMEM_NORM and, while it is under way, in
/// SQ_INST_LEVEL_SMEM: "*2 load/store; *2 atomic; *2 memtime; *4 wb/inv" (rocprofiler-compute,
/// profile_configs/gfx908_metrics.xml; its vcopy workloads have twice SQ_INSTS_SMEM).
constexpr std::uint64_t kScalarLevel = 2, kScalarCacheLevel = 4;

std::uint64_t scalar_level(const StepFacts& facts) {
  return facts.row->memory.action == isa::MemoryAction::kCacheControl ? kScalarCacheLevel
                                                                      : kScalarLevel;
}

/// Counters of the classes, in the order of isa::CounterClass.
constexpr std::array kClassCounters = {CuCounter::kCount,
                                       CuCounter::kSqInstsValuAddF16,
                                       CuCounter::kSqInstsValuMulF16,
                                       CuCounter::kSqInstsValuFmaF16,
                                       CuCounter::kSqInstsValuTransF16,
                                       CuCounter::kSqInstsValuAddF32,
                                       CuCounter::kSqInstsValuMulF32,
                                       CuCounter::kSqInstsValuFmaF32,
                                       CuCounter::kSqInstsValuTransF32,
                                       CuCounter::kSqInstsValuAddF64,
                                       CuCounter::kSqInstsValuMulF64,
                                       CuCounter::kSqInstsValuFmaF64,
                                       CuCounter::kSqInstsValuTransF64,
                                       CuCounter::kSqInstsValuInt32,
                                       CuCounter::kSqInstsValuInt64,
                                       CuCounter::kSqInstsValuCvt};

struct MatrixCounters {
  CuCounter instructions, operations;
  double profile::Operations::* total;
};

MatrixCounters matrix_counters(isa::MatrixElement a) {
  using isa::MatrixElement;
  using O = profile::Operations;
  switch (a) {
    case MatrixElement::kI8:
      return {CuCounter::kSqInstsValuMfmaI8, CuCounter::kSqInstsValuMfmaMopsI8, &O::matrix_i8};
    case MatrixElement::kFp8:
    case MatrixElement::kBf8:
      return {CuCounter::kSqInstsValuMfmaF8, CuCounter::kSqInstsValuMfmaMopsF8, &O::matrix_f8};
    case MatrixElement::kF16:
      return {CuCounter::kSqInstsValuMfmaF16, CuCounter::kSqInstsValuMfmaMopsF16, &O::matrix_f16};
    case MatrixElement::kBf16:
      return {CuCounter::kSqInstsValuMfmaBf16, CuCounter::kSqInstsValuMfmaMopsBf16,
              &O::matrix_bf16};
    case MatrixElement::kF64:
      return {CuCounter::kSqInstsValuMfmaF64, CuCounter::kSqInstsValuMfmaMopsF64, &O::matrix_f64};
    case MatrixElement::kXf32:
      return {CuCounter::kSqInstsValuMfmaF32, CuCounter::kSqInstsValuMfmaMopsF32, &O::matrix_xf32};
    default:
      return {CuCounter::kSqInstsValuMfmaF32, CuCounter::kSqInstsValuMfmaMopsF32, &O::matrix_f32};
  }
}

double* operations_of(profile::Operations& operations, isa::CounterClass counter) {
  using isa::CounterClass;
  if (counter == CounterClass::kNone || counter == CounterClass::kConvert) return nullptr;
  if (counter == CounterClass::kInt32 || counter == CounterClass::kInt64) {
    return &operations.integer;
  }
  if (counter < CounterClass::kAddF32) return &operations.f16;
  return counter < CounterClass::kAddF64 ? &operations.f32 : &operations.f64;
}

}  // namespace

void IssueCounting::start_launch() {
  bank_.clear();
  sums_ = {};
  busy_ = {};
  matrix_busy_ = 0;
  operations_ = {};
  lds_read_ = lds_written_ = 0;
}

void IssueCounting::wave_started(const machine::SteppedWave& wave) {
  const unsigned items = wave.work_items();
  bank_.add(CuCounter::kSqItems, items);
  if (items == 64) bank_.add(CuCounter::kSqWavesEq64);
  if (items < 64) bank_.add(CuCounter::kSqWavesLt64);
  if (items < 48) bank_.add(CuCounter::kSqWavesLt48);
  if (items < 32) bank_.add(CuCounter::kSqWavesLt32);
  if (items < 16) bank_.add(CuCounter::kSqWavesLt16);
  bank_.add(CuCounter::kSqWaves);
  bank_.add(CuCounter::kSpiCsnWave);
  // One quad-cycle writes the work-item ids, two the user and system SGPRs.
  bank_.add(CuCounter::kSpiVwcCscWr);
  bank_.add(CuCounter::kSpiSwcCscWr, 2);
}

void IssueCounting::wave_ended(std::uint64_t cycles) {
  bank_.add(CuCounter::kSqLevelWaves, cycles);
  bank_.add(CuCounter::kSqWaveCycles, cycles);
}

void IssueCounting::was_busy(std::uint64_t cycles) {
  bank_.add(CuCounter::kSqBusyCuCycles, cycles);
}

void IssueCounting::l1_invalidated() { bank_.add(CuCounter::kTcpTotalWritebackInvalidates); }

std::uint64_t IssueCounting::instructions() const {
  std::uint64_t all = 0;
  for (const IssuedSum& sum : sums_) all += sum.instructions;
  return all;
}

void IssueCounting::end_launch() {
  for (std::size_t kind = 0; kind < sums_.size(); ++kind) {
    count(static_cast<IssueClass>(kind), sums_[kind]);
  }
  bank_.add(CuCounter::kSqValuMfmaBusyCycles, matrix_busy_);
}

void IssueCounting::count_all(Port port, const IssuedSum& sum) {
  busy_[static_cast<std::size_t>(port)] += sum.cycles;
  bank_.add(CuCounter::kSqInsts, sum.instructions);
  if (port != Port::kInternal) bank_.add(CuCounter::kSqActiveInstAny, sum.cycles);
}

void IssueCounting::count(IssueClass kind, const IssuedSum& sum) {
  switch (kind) {
    case IssueClass::kSalu:
      count_all(Port::kScalar, sum);
      count(sum, CuCounter::kSqInstsSalu, CuCounter::kSqActiveInstSca);
      return bank_.add(CuCounter::kSqInstCyclesSalu, sum.cycles);
    case IssueClass::kScalarMemory: return count_scalar_memory(sum, kScalarLevel);
    case IssueClass::kScalarCache: return count_scalar_memory(sum, kScalarCacheLevel);
    case IssueClass::kBranch:
      count_all(Port::kBranch, sum);
      return count(sum, CuCounter::kSqInstsBranch, CuCounter::kSqActiveInstMisc);
    case IssueClass::kMessage:
      count_all(Port::kBranch, sum);
      return count(sum, CuCounter::kSqInstsSendmsg, CuCounter::kSqActiveInstMisc);
    case IssueClass::kInternal: return count_all(Port::kInternal, sum);
    case IssueClass::kSkipped:
      busy_[static_cast<std::size_t>(Port::kInternal)] += sum.cycles;
      return bank_.add(CuCounter::kSqInstsVskipped, sum.instructions);
    case IssueClass::kEnd:
      // The end of a program counts as a message.
      count_all(Port::kInternal, sum);
      bank_.add(CuCounter::kSqActiveInstAny, sum.cycles);
      return count(sum, CuCounter::kSqInstsSendmsg, CuCounter::kSqActiveInstMisc);
    case IssueClass::kLds:
      count_all(Port::kLds, sum);
      return count(sum, CuCounter::kSqInstsLds, CuCounter::kSqActiveInstLds);
    case IssueClass::kVectorRead:
    case IssueClass::kVectorWrite:
    case IssueClass::kVectorCache:
      bank_.add(CuCounter::kSqActiveInstVmem, sum.cycles);
      return count_vector_memory(IssueClass::kVectorRead, kind, sum);
    case IssueClass::kFlatRead:
    case IssueClass::kFlatWrite:
    case IssueClass::kFlatCache:
      count(sum, CuCounter::kSqInstsFlat, CuCounter::kSqActiveInstFlat);
      return count_vector_memory(IssueClass::kFlatRead, kind, sum);
    default: break;
  }
  const auto behind = [&](IssueClass first) {
    return static_cast<unsigned>(kind) - static_cast<unsigned>(first);
  };
  if (kind < IssueClass::kMatrix) {
    count_valu(static_cast<isa::CounterClass>(behind(IssueClass::kValu)), sum);
  } else {
    count_matrix(static_cast<isa::MatrixElement>(behind(IssueClass::kMatrix)), sum);
  }
}

void IssueCounting::count_scalar_memory(const IssuedSum& sum, std::uint64_t level) {
  count_all(Port::kScalar, sum);
  count(sum, CuCounter::kSqInstsSmem, CuCounter::kSqActiveInstSca);
  bank_.add(CuCounter::kSqInstsSmemNorm, level * sum.instructions);
  bank_.add(CuCounter::kSqInstCyclesSmem, sum.cycles);
}

void IssueCounting::count_vector_memory(IssueClass first, IssueClass kind, const IssuedSum& sum) {
  count_all(Port::kVectorMemory, sum);
  const unsigned action = static_cast<unsigned>(kind) - static_cast<unsigned>(first);
  if (action > 1) return;
  bank_.add(CuCounter::kSqInstsVmem, sum.instructions);
  if (action == 1)
    count(sum, CuCounter::kSqInstsVmemWr, CuCounter::kSqInstCyclesVmemWr);
  else
    count(sum, CuCounter::kSqInstsVmemRd, CuCounter::kSqInstCyclesVmemRd);
}

void IssueCounting::count_vector(const IssuedSum& sum) {
  count_all(Port::kVector, sum);
  count(sum, CuCounter::kSqInstsValu, CuCounter::kSqActiveInstValu);
  bank_.add(CuCounter::kSqThreadCyclesValu, sum.lane_cycles);
}

void IssueCounting::count_valu(isa::CounterClass kind, const IssuedSum& sum) {
  count_vector(sum);
  const CuCounter counter = kClassCounters[static_cast<std::size_t>(kind)];
  if (counter != CuCounter::kCount) bank_.add(counter, sum.instructions);
  if (double* total = operations_of(operations_, kind)) {
    *total += static_cast<double>(sum.operations);
  }
}

void IssueCounting::count_matrix(isa::MatrixElement a, const IssuedSum& sum) {
  if (sum.instructions == 0) return;
  count_vector(sum);
  const MatrixCounters counters = matrix_counters(a);
  bank_.add(CuCounter::kSqInstsMfma, sum.instructions);
  bank_.add(counters.instructions, sum.instructions);
  bank_.add(counters.operations, sum.operations / kMopsUnit);
  operations_.*counters.total += static_cast<double>(sum.operations);
}

void IssueCounting::vector_memory_was_under_way(std::uint64_t cycles) {
  bank_.add(CuCounter::kSqInstLevelVmem, cycles);
}

void IssueCounting::lds_access(const Step& step, const BankCycles& banks, std::uint64_t cycles) {
  bank_.add(CuCounter::kSqLdsIdxActive, banks.total);
  bank_.add(CuCounter::kSqLdsBankConflict, banks.conflict);
  bank_.add(CuCounter::kSqLdsAddrConflict, banks.same_address);
  const bool is_own = step.facts->port == Port::kLds;
  const isa::MemoryAction action = step.facts->row->memory.action;
  const bool writes = action == isa::MemoryAction::kStore || action == isa::MemoryAction::kAtomic;
  (writes ? lds_written_ : lds_read_) +=
      static_cast<double>(std::popcount(is_own ? step.lanes : step.lds_lanes)) * step.access_bytes *
      step.access_count;
  if (!is_own) return;
  bank_.add(CuCounter::kSqInstLevelLds, cycles);
  if (step.facts->returns && action == isa::MemoryAction::kAtomic) {
    bank_.add(CuCounter::kSqLdsAtomicReturn);
  }
}

void IssueCounting::line(const SmallCache::Answer& answer, const LineCounters& counters) {
  shared_.add(counters.asked);
  switch (answer.outcome) {
    case SmallCacheOutcome::kHit: shared_.add(counters.hits); break;
    case SmallCacheOutcome::kMiss: shared_.add(counters.misses); break;
    case SmallCacheOutcome::kDuplicateMiss: shared_.add(counters.duplicates); break;
  }
  shared_.add(counters.of_l2, answer.asked_l2);
  shared_.add(CuCounter::kSqcTcReq, answer.asked_l2);
}

void IssueCounting::instruction_line(const SmallCache::Answer& answer) {
  line(answer, {CuCounter::kSqcIcacheReq, CuCounter::kSqcIcacheHits, CuCounter::kSqcIcacheMisses,
                CuCounter::kSqcIcacheMissesDuplicate, CuCounter::kSqcTcInstReq});
}

void IssueCounting::scalar_line(const SmallCache::Answer& answer) {
  line(answer, {CuCounter::kSqcDcacheReq, CuCounter::kSqcDcacheHits, CuCounter::kSqcDcacheMisses,
                CuCounter::kSqcDcacheMissesDuplicate, CuCounter::kSqcTcDataReadReq});
}

void IssueCounting::line_fetched(std::uint64_t cycles) {
  bank_.add(CuCounter::kSqIfetchLevel, cycles);
}

void IssueCounting::fetched() { bank_.add(CuCounter::kSqIfetch); }

void IssueCounting::scalar_was_under_way(const StepFacts& facts, std::uint64_t cycles) {
  bank_.add(CuCounter::kSqInstLevelSmem, scalar_level(facts) * cycles);
}

void IssueCounting::scalar_load(unsigned bytes) {
  switch (bytes) {
    case 4: shared_.add(CuCounter::kSqcDcacheReqRead1); break;
    case 8: shared_.add(CuCounter::kSqcDcacheReqRead2); break;
    case 16: shared_.add(CuCounter::kSqcDcacheReqRead4); break;
    case 32: shared_.add(CuCounter::kSqcDcacheReqRead8); break;
    case 64: shared_.add(CuCounter::kSqcDcacheReqRead16); break;
    default: break;
  }
}

}  // namespace wavetank::timing
