// The counters of a CU and of the caches beside it, and the trace.
#include <algorithm>
#include <bit>

#include "timing/compute_unit.hpp"

namespace wavetank::timing {

using machine::Port;
using machine::Step;
using machine::StepFacts;
using profile::Reason;

std::uint32_t ComputeUnit::misaligned_cycles(const StepFacts& facts) const {
  const bool straddles = facts.dwords == 2 && facts.offset_bytes % 8 != 0;
  return straddles ? spec_.issue.misaligned_extra : 0;
}

std::uint32_t ComputeUnit::issue_cycles(const StepFacts& facts) const {
  if (facts.port == Port::kScalar) return spec_.issue.salu;
  if (facts.port != Port::kVector) return spec_.issue.slot_period;
  if (facts.row->unit == isa::Unit::kMatrix) return spec_.matrix.issue;
  std::uint32_t cycles = spec_.issue.valu_full;
  switch (facts.row->rate) {
    case isa::Rate::kFull: break;
    case isa::Rate::kDouble: cycles = spec_.issue.valu_double; break;
    case isa::Rate::kQuarter: cycles = spec_.issue.valu_quarter; break;
    case isa::Rate::kTranscendental: cycles = spec_.issue.valu_transcendental; break;
  }
  return cycles + misaligned_cycles(facts);
}

void ComputeUnit::count_start(const machine::SteppedWave& wave) {
  const unsigned items = wave.work_items();
  counters_.add(CuCounter::kSqItems, items);
  if (items == 64) counters_.add(CuCounter::kSqWavesEq64);
  if (items < 64) counters_.add(CuCounter::kSqWavesLt64);
  if (items < 48) counters_.add(CuCounter::kSqWavesLt48);
  if (items < 32) counters_.add(CuCounter::kSqWavesLt32);
  if (items < 16) counters_.add(CuCounter::kSqWavesLt16);
  counters_.add(CuCounter::kSqWaves);
  counters_.add(CuCounter::kSpiCsnWave);
  // One quad-cycle writes the work-item ids, two the user and system SGPRs.
  counters_.add(CuCounter::kSpiVwcCscWr);
  counters_.add(CuCounter::kSpiSwcCscWr, 2);
}

void ComputeUnit::count_issue(const Step& step, std::uint32_t cycles) {
  const StepFacts& facts = *step.facts;
  InstructionTally& tally_of_this = *current_;
  const auto lanes = static_cast<std::uint64_t>(std::popcount(step.exec));
  ++tally_of_this.hits;
  tally_of_this.active_lanes += lanes;
  busy_[static_cast<std::size_t>(facts.port)] += cycles;
  counters_.add(CuCounter::kSqInsts);
  if (facts.port != Port::kInternal) counters_.add(CuCounter::kSqActiveInstAny, cycles);
  switch (facts.row->unit) {
    case isa::Unit::kValu:
    case isa::Unit::kMatrix: count_valu(step, cycles, lanes); break;
    case isa::Unit::kSalu:
      counters_.add(CuCounter::kSqInstsSalu);
      counters_.add(CuCounter::kSqActiveInstSca, cycles);
      counters_.add(CuCounter::kSqInstCyclesSalu, cycles);
      break;
    case isa::Unit::kSmem:
      counters_.add(CuCounter::kSqInstsSmem);
      counters_.add(CuCounter::kSqInstsSmemNorm);
      counters_.add(CuCounter::kSqActiveInstSca, cycles);
      counters_.add(CuCounter::kSqInstCyclesSmem, cycles);
      break;
    case isa::Unit::kBranch:
      counters_.add(CuCounter::kSqInstsBranch);
      counters_.add(CuCounter::kSqActiveInstMisc, cycles);
      break;
    case isa::Unit::kMessage: count_message(cycles); break;
    case isa::Unit::kLds:
      counters_.add(CuCounter::kSqInstsLds);
      counters_.add(CuCounter::kSqActiveInstLds, cycles);
      break;
    case isa::Unit::kFlat:
      counters_.add(CuCounter::kSqInstsFlat);
      counters_.add(CuCounter::kSqActiveInstFlat, cycles);
      count_vector_memory(facts, cycles);
      break;
    case isa::Unit::kVectorMemory:
      counters_.add(CuCounter::kSqActiveInstVmem, cycles);
      count_vector_memory(facts, cycles);
      break;
    case isa::Unit::kInternal:
      // The end of a program counts as a message.
      if (facts.row->ends_flow(facts.immediate)) {
        count_message(cycles);
        counters_.add(CuCounter::kSqActiveInstAny, cycles);
      }
      break;
  }
}

void ComputeUnit::count_message(std::uint32_t cycles) {
  counters_.add(CuCounter::kSqInstsSendmsg);
  counters_.add(CuCounter::kSqActiveInstMisc, cycles);
}

void ComputeUnit::count_vector_memory(const StepFacts& facts, std::uint32_t cycles) {
  if (facts.row->memory.action == isa::MemoryAction::kCacheControl) return;
  const bool write = facts.row->memory.action == isa::MemoryAction::kStore ||
                     (facts.row->memory.action == isa::MemoryAction::kAtomic && !facts.returns);
  counters_.add(CuCounter::kSqInstsVmem);
  counters_.add(write ? CuCounter::kSqInstsVmemWr : CuCounter::kSqInstsVmemRd);
  counters_.add(write ? CuCounter::kSqInstCyclesVmemWr : CuCounter::kSqInstCyclesVmemRd, cycles);
}

namespace {

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

void ComputeUnit::count_valu(const Step& step, std::uint32_t cycles, std::uint64_t lanes) {
  const StepFacts& facts = *step.facts;
  counters_.add(CuCounter::kSqInstsValu);
  counters_.add(CuCounter::kSqActiveInstValu, cycles);
  counters_.add(CuCounter::kSqThreadCyclesValu, cycles * lanes);
  if (facts.row->unit == isa::Unit::kMatrix) {
    const isa::MatrixShape& shape = facts.row->matrix;
    const MatrixCounters counters = matrix_counters(shape.a);
    counters_.add(CuCounter::kSqInstsMfma);
    counters_.add(counters.instructions);
    counters_.add(counters.operations, shape.operations() / 512);
    operations_.*counters.total += shape.operations();
    return;
  }
  const CuCounter counter = kClassCounters[static_cast<std::size_t>(facts.counter_class)];
  if (counter != CuCounter::kCount) counters_.add(counter);
  if (double* total = operations_of(operations_, facts.counter_class)) {
    *total += static_cast<double>(lanes) * facts.operations;
  }
}

void ComputeUnit::count_lds(std::uint64_t done, std::uint64_t time) {
  const StepFacts& facts = *step_.facts;
  counters_.add(CuCounter::kSqInstLevelLds, done - time);
  if (facts.returns && facts.row->memory.action == isa::MemoryAction::kAtomic) {
    counters_.add(CuCounter::kSqLdsAtomicReturn);
  }
  lds_bytes_ +=
      static_cast<double>(std::popcount(step_.lanes)) * step_.access_bytes * step_.access_count;
}

void ComputeUnit::count_fetch(const SmallCache::Answer& answer, std::uint64_t time) {
  CuCounters& counters = caches_.counters;
  counters.add(CuCounter::kSqcIcacheReq);
  switch (answer.outcome) {
    case SmallCacheOutcome::kHit: counters.add(CuCounter::kSqcIcacheHits); break;
    case SmallCacheOutcome::kMiss:
      counters.add(CuCounter::kSqcIcacheMisses);
      counters.add(CuCounter::kSqcTcInstReq);
      counters.add(CuCounter::kSqcTcReq);
      break;
    case SmallCacheOutcome::kDuplicateMiss:
      counters.add(CuCounter::kSqcIcacheMissesDuplicate);
      counters.add(CuCounter::kSqcTcInstReq);
      counters.add(CuCounter::kSqcTcReq);
      break;
  }
  counters_.add(CuCounter::kSqIfetchLevel, answer.ready - time + spec_.fetch.hit_latency);
}

void ComputeUnit::count_ifetch(WaveContext& wave, std::uint64_t first, std::uint64_t end) {
  const std::uint32_t bytes = spec_.fetch.bytes_per_fetch;
  const bool restart = wave.taken || wave.fetched_bytes_end == ~std::uint64_t{0};
  if (restart) wave.fetched_bytes_end = first / bytes * bytes;
  while (wave.fetched_bytes_end < end) {
    counters_.add(CuCounter::kSqIfetch);
    wave.fetched_bytes_end += bytes;
  }
}

void ComputeUnit::count_scalar(const SmallCache::Answer& answer) {
  CuCounters& counters = caches_.counters;
  counters.add(CuCounter::kSqcDcacheReq);
  switch (answer.outcome) {
    case SmallCacheOutcome::kHit: counters.add(CuCounter::kSqcDcacheHits); break;
    case SmallCacheOutcome::kMiss:
      counters.add(CuCounter::kSqcDcacheMisses);
      counters.add(CuCounter::kSqcTcDataReadReq);
      counters.add(CuCounter::kSqcTcReq);
      break;
    case SmallCacheOutcome::kDuplicateMiss:
      counters.add(CuCounter::kSqcDcacheMissesDuplicate);
      counters.add(CuCounter::kSqcTcDataReadReq);
      counters.add(CuCounter::kSqcTcReq);
      break;
  }
}

void ComputeUnit::count_scalar_instruction(const StepFacts&, std::uint64_t cycles) {
  counters_.add(CuCounter::kSqInstLevelSmem, cycles);
  switch (step_.access_bytes) {
    case 4: caches_.counters.add(CuCounter::kSqcDcacheReqRead1); break;
    case 8: caches_.counters.add(CuCounter::kSqcDcacheReqRead2); break;
    case 16: caches_.counters.add(CuCounter::kSqcDcacheReqRead4); break;
    case 32: caches_.counters.add(CuCounter::kSqcDcacheReqRead8); break;
    case 64: caches_.counters.add(CuCounter::kSqcDcacheReqRead16); break;
    default: break;
  }
}

void ComputeUnit::begin_trace(WaveContext& wave, std::uint32_t index_in_group, unsigned simd,
                              unsigned slot) {
  wave.trace_index = static_cast<std::uint32_t>(trace_->waves.size());
  profile::TraceWave record;
  record.xcd = xcd_;
  record.cu = index_;
  record.simd = simd;
  record.slot = slot;
  record.workgroup = wave.group->workgroup;
  record.wave_in_group = index_in_group;
  record.begin_cycle = wave.begin;
  trace_->waves.push_back(record);
}

void ComputeUnit::add_trace(const WaveContext& wave, std::uint64_t time, std::uint32_t cycles,
                            const profile::ReasonCycles& before) {
  profile::TraceIssue record;
  record.wave = wave.trace_index;
  record.instruction = step_.facts->index;
  record.issue_cycle = time;
  record.issue_cycles = cycles;
  std::uint64_t longest = 0;
  const auto own = static_cast<std::size_t>(issue_reason(*step_.facts));
  for (std::size_t i = 0; i < profile::kReasonCount; ++i) {
    std::uint64_t waited = cycles_by_reason_[i] - before[i];
    if (i == own) waited -= std::min<std::uint64_t>(waited, cycles);
    record.stall_cycles += waited;
    if (waited > longest) {
      longest = waited;
      record.stall_reason = static_cast<Reason>(i);
    }
  }
  trace_->issues.push_back(record);
}

}  // namespace wavetank::timing
