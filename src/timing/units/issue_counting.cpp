#include "timing/units/issue_counting.hpp"

#include <array>
#include <bit>

namespace wavetank::timing {

using machine::Port;
using machine::Step;
using machine::StepFacts;

namespace {

/// What a scalar memory instruction counts in SQ_INSTS_SMEM_NORM and, while it is under way, in
/// SQ_INST_LEVEL_SMEM: "*2 load/store; *2 atomic; *2 memtime; *4 wb/inv" (rocprofiler-compute,
/// profile_configs/gfx908_metrics.xml; its vcopy workloads have twice SQ_INSTS_SMEM).
std::uint64_t scalar_level(const StepFacts& facts) {
  return facts.row->memory.action == isa::MemoryAction::kCacheControl ? 4 : 2;
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

void IssueCounting::issued(const Step& step, std::uint32_t cycles) {
  const StepFacts& facts = *step.facts;
  busy_[static_cast<std::size_t>(facts.port)] += cycles;
  bank_.add(CuCounter::kSqInsts);
  if (facts.port != Port::kInternal) bank_.add(CuCounter::kSqActiveInstAny, cycles);
  switch (facts.row->unit) {
    case isa::Unit::kValu:
    case isa::Unit::kMatrix: valu(step, cycles); break;
    case isa::Unit::kSalu:
      bank_.add(CuCounter::kSqInstsSalu);
      bank_.add(CuCounter::kSqActiveInstSca, cycles);
      bank_.add(CuCounter::kSqInstCyclesSalu, cycles);
      break;
    case isa::Unit::kSmem:
      bank_.add(CuCounter::kSqInstsSmem);
      bank_.add(CuCounter::kSqInstsSmemNorm, scalar_level(facts));
      bank_.add(CuCounter::kSqActiveInstSca, cycles);
      bank_.add(CuCounter::kSqInstCyclesSmem, cycles);
      break;
    case isa::Unit::kBranch:
      bank_.add(CuCounter::kSqInstsBranch);
      bank_.add(CuCounter::kSqActiveInstMisc, cycles);
      break;
    case isa::Unit::kMessage: message(cycles); break;
    case isa::Unit::kLds:
      bank_.add(CuCounter::kSqInstsLds);
      bank_.add(CuCounter::kSqActiveInstLds, cycles);
      break;
    case isa::Unit::kFlat:
      bank_.add(CuCounter::kSqInstsFlat);
      bank_.add(CuCounter::kSqActiveInstFlat, cycles);
      vector_memory(facts, cycles);
      break;
    case isa::Unit::kVectorMemory:
      bank_.add(CuCounter::kSqActiveInstVmem, cycles);
      vector_memory(facts, cycles);
      break;
    case isa::Unit::kInternal:
      // The end of a program counts as a message.
      if (facts.row->ends_flow(facts.immediate)) {
        message(cycles);
        bank_.add(CuCounter::kSqActiveInstAny, cycles);
      }
      break;
  }
}

void IssueCounting::message(std::uint32_t cycles) {
  bank_.add(CuCounter::kSqInstsSendmsg);
  bank_.add(CuCounter::kSqActiveInstMisc, cycles);
}

void IssueCounting::vector_memory(const StepFacts& facts, std::uint32_t cycles) {
  if (facts.row->memory.action == isa::MemoryAction::kCacheControl) return;
  const bool write = facts.row->memory.action == isa::MemoryAction::kStore ||
                     (facts.row->memory.action == isa::MemoryAction::kAtomic && !facts.returns);
  bank_.add(CuCounter::kSqInstsVmem);
  bank_.add(write ? CuCounter::kSqInstsVmemWr : CuCounter::kSqInstsVmemRd);
  bank_.add(write ? CuCounter::kSqInstCyclesVmemWr : CuCounter::kSqInstCyclesVmemRd, cycles);
}

void IssueCounting::valu(const Step& step, std::uint32_t cycles) {
  const StepFacts& facts = *step.facts;
  const auto lanes = static_cast<std::uint64_t>(std::popcount(step.exec));
  bank_.add(CuCounter::kSqInstsValu);
  bank_.add(CuCounter::kSqActiveInstValu, cycles);
  bank_.add(CuCounter::kSqThreadCyclesValu, cycles * lanes);
  if (facts.row->unit == isa::Unit::kMatrix) {
    const isa::MatrixShape& shape = facts.row->matrix;
    const MatrixCounters counters = matrix_counters(shape.a);
    bank_.add(CuCounter::kSqInstsMfma);
    bank_.add(counters.instructions);
    bank_.add(counters.operations, shape.operations() / 512);
    operations_.*counters.total += shape.operations();
    return;
  }
  const CuCounter counter = kClassCounters[static_cast<std::size_t>(facts.counter_class)];
  if (counter != CuCounter::kCount) bank_.add(counter);
  if (double* total = operations_of(operations_, facts.counter_class)) {
    *total += static_cast<double>(lanes) * facts.operations;
  }
}

void IssueCounting::matrix_worked(std::uint64_t cycles) {
  matrix_busy_ += cycles;
  bank_.add(CuCounter::kSqValuMfmaBusyCycles, cycles);
}

void IssueCounting::vector_memory_was_under_way(std::uint64_t cycles) {
  bank_.add(CuCounter::kSqInstLevelVmem, cycles);
}

void IssueCounting::lds_access(const Step& step, const BankCycles& banks, std::uint64_t cycles) {
  bank_.add(CuCounter::kSqLdsIdxActive, banks.total);
  bank_.add(CuCounter::kSqLdsBankConflict, banks.conflict);
  bank_.add(CuCounter::kSqLdsAddrConflict, banks.same_address);
  if (step.facts->port != Port::kLds) return;
  bank_.add(CuCounter::kSqInstLevelLds, cycles);
  const isa::MemoryAction action = step.facts->row->memory.action;
  if (step.facts->returns && action == isa::MemoryAction::kAtomic) {
    bank_.add(CuCounter::kSqLdsAtomicReturn);
  }
  const bool writes = action == isa::MemoryAction::kStore || action == isa::MemoryAction::kAtomic;
  (writes ? lds_written_ : lds_read_) +=
      static_cast<double>(std::popcount(step.lanes)) * step.access_bytes * step.access_count;
}

void IssueCounting::line(const SmallCache::Answer& answer, const LineCounters& counters) {
  shared_.add(counters.asked);
  switch (answer.outcome) {
    case SmallCacheOutcome::kHit: shared_.add(counters.hits); break;
    case SmallCacheOutcome::kMiss: shared_.add(counters.misses); break;
    case SmallCacheOutcome::kDuplicateMiss: shared_.add(counters.duplicates); break;
  }
  if (!answer.asked_l2) return;
  shared_.add(counters.of_l2);
  shared_.add(CuCounter::kSqcTcReq);
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
