// What memory instructions do to the units and to the wave's counters.
#include <algorithm>
#include <bit>

#include "timing/compute_unit.hpp"

namespace wavetank::timing {

using machine::StepFacts;
using profile::Reason;

void ComputeUnit::execute_memory(WaveContext& wave, unsigned simd_index, std::uint64_t time) {
  const StepFacts& facts = *step_.facts;
  if (facts.port == machine::Port::kLds) {
    if (step_.access_count == 0 && !facts.returns) return;
    const std::uint64_t conflicts = counters_[CuCounter::kSqLdsBankConflict];
    const std::uint64_t done = lds_.issue(step_, step_.lanes, simd_index, time, counters_);
    current_->lds_conflict_cycles += counters_[CuCounter::kSqLdsBankConflict] - conflicts;
    count_lds(done, time);
    wave.scalar_and_lds.add(done, Reason::kWaitLds, time);
    return;
  }
  if (facts.port == machine::Port::kScalar) {
    const std::uint64_t done = execute_scalar_memory(time);
    wave.scalar_and_lds.add(done, Reason::kWaitScalarMemory, time);
    return;
  }
  execute_vector_memory(wave, simd_index, time);
}

void ComputeUnit::execute_vector_memory(WaveContext& wave, unsigned simd_index,
                                        std::uint64_t time) {
  const StepFacts& facts = *step_.facts;
  if (facts.row->memory.action == isa::MemoryAction::kCacheControl) {
    const std::uint64_t done = vector_memory_.cache_control(facts, time, counters_);
    wave.vector_memory.add(done, Reason::kWaitFence, time);
    return;
  }
  std::uint64_t done = vector_memory_.issue(step_, time, counters_);
  const AddressPlan& plan = vector_memory_.last_plan();
  const std::uint32_t line_bytes = spec_.vmem.l1_line_bytes;
  current_->lines_touched += plan.lines.size();
  current_->lines_needed += (plan.bytes + line_bytes - 1) / line_bytes;
  if (step_.lds_lanes != 0) {
    done = std::max(done, lds_.issue(step_, step_.lds_lanes, simd_index, time, counters_));
  }
  counters_.add(CuCounter::kSqInstLevelVmem, done - time);
  wave.vector_memory.add(done, Reason::kWaitVectorMemory, time);
  if (facts.may_reach_lds) {
    wave.scalar_and_lds.add(done, Reason::kWaitVectorMemory, time);
  }
  last_end_ = std::max(last_end_, done);
}

std::uint64_t ComputeUnit::execute_scalar_memory(std::uint64_t time) {
  const StepFacts& facts = *step_.facts;
  std::uint64_t done = time + spec_.smem.hit_latency;
  if (step_.access_count != 0 && step_.access_bytes != 0) {
    const std::uint32_t line = caches_.scalar.line_bytes();
    const std::uint64_t first = step_.address[0] / line;
    const std::uint64_t last = (step_.address[0] + step_.access_bytes - 1) / line;
    for (std::uint64_t at = first; at <= last; ++at) {
      const auto answer = caches_.scalar.request(at * line, time);
      count_scalar(answer);
      done = std::max(done, answer.ready + spec_.smem.hit_latency);
    }
    scalar_bytes_ += step_.access_bytes;
  }
  count_scalar_instruction(facts, done - time);
  return done;
}

}  // namespace wavetank::timing
