// What an instruction does to its wave and to the units when it issues.
#include <algorithm>

#include "timing/units/compute_unit.hpp"
#include "timing/units/lane_pattern.hpp"

namespace wavetank::timing {

using machine::Port;
using machine::StepFacts;
using profile::Reason;

namespace {

/// Bytes that a lane can load or store with one instruction.
constexpr std::uint32_t kWidestAccess = 16;

/// When the instruction behind one that issues at `time` for `cycles` is put together in the wave's
/// buffer. It is while that one waits to issue: a wave that others kept from issuing catches up.
std::uint64_t assembled_behind(const WaveContext& wave, const IssueCost& cost, std::uint64_t time,
                               std::uint32_t cycles, std::uint64_t period) {
  const bool shortened = cost.shortens || cycles == 0;
  const std::uint64_t taken = shortened ? std::min<std::uint64_t>(cycles, period) : period;
  return std::max(wave.assembled, time - std::min(time, period)) + taken + cost.misaligned;
}

}  // namespace

bool ComputeUnit::step_now(WaveContext& wave) {
  auto done = wave.stepped->step(step_);
  return done || failed(std::move(done.error()));
}

bool ComputeUnit::issue(unsigned simd, unsigned slot, std::uint64_t time) {
  WaveContext& wave = simds_[simd].wave(slot);
  const StepFacts& facts = *wave.next;
  const IssueCost& cost = worker_->costs.of(facts, spec_);
  InstructionTally& tally = worker_->ledger.of(facts);
  trace_.listen(worker_->ledger);
  const std::uint64_t unit_time = simds_[simd].unit_time(slot);
  worker_->ledger.charge_wait(wave, tally, time, unit_time, cost.unit_reason);
  step_.facts = &facts;
  step_.clock.cycles = start_cycle_ + time;
  if (!step(wave)) return false;
  const bool is_left_out = cost.accesses && step_.scratch && !spec_.vmem.scratch_costs;
  const std::uint32_t cycles = is_left_out ? 0 : cost.cycles_of(step_.exec);
  wave.issue_end = time + std::min(cycles, spec_.issue.slot_period);
  wave.assembled = assembled_behind(wave, cost, time, cycles, spec_.issue.slot_period);
  worker_->ledger.charge(wave, tally, cost.reason, wave.issue_end);
  trace_.issued(wave, facts.index, time, cycles, cost.reason);
  const auto lanes = static_cast<std::uint32_t>(std::popcount(step_.exec));
  counting_.issued(cost.kind, cycles, lanes, cost.operations + lanes * cost.lane_operations);
  ++wave.instructions;
  ++tally.hits;
  tally.active_lanes += lanes;
  if (facts.port == Port::kVector) {
    const std::uint64_t matrix = simds_[simd].occupy(wave, cost, time, cycles, spec_);
    if (matrix != 0) counting_.matrix_worked(matrix);
  } else if (facts.port == Port::kScalar) {
    scalar_.take(time);
    tell_scalar();
    last_served_ = simd;
  }
  if (cost.accesses && !is_left_out) execute_memory(wave, simd, time);
  wave.hazards.issued(facts, time, spec_);
  wave.previous = &facts;
  wave.taken = step_.taken;
  return cost.is_plain ? prepare_next(simd, slot) : after_issue(simd, slot, time);
}

bool ComputeUnit::after_issue(unsigned simd, unsigned slot, std::uint64_t time) {
  WaveContext& wave = simds_[simd].wave(slot);
  if (step_.ended) return end_wave(simd, slot, wave.issue_end);
  if (step_.at_barrier) {
    wave.narrow_turns.clear();
    if (spec_.issue.waits_at_barriers) return arrive_at_barrier(simd, slot, time);
    wave.stepped->pass_barrier();
  }
  if (step_.at_global_barrier) {
    simds_[simd].hold(slot);
    events_.push_back({.kind = UnitEvent::Kind::kAtGlobalBarrier,
                       .time = time,
                       .group = wave.group,
                       .simd = simd,
                       .slot = slot});
    return true;
  }
  note_control(wave, simd, slot, time);
  if (step_.facts->is_waitcnt) {
    trace_.listen(worker_->ledger);
    if (!wait_for_counters(wave, *step_.facts)) {
      trace_.ignore();
      resume_later(simd, slot, Resume::kAfterWait);
      return true;
    }
    trace_.waited(wave);
  }
  return prepare_next(simd, slot);
}

void ComputeUnit::note_control(WaveContext& wave, unsigned simd, unsigned slot,
                               std::uint64_t time) {
  const StepFacts& facts = *step_.facts;
  if (facts.sets_priority) {
    simds_[simd].set_priority(slot, static_cast<unsigned>(facts.immediate) & 3);
  }
  wave.branched = facts.port == Port::kBranch && facts.row->unit == isa::Unit::kBranch;
  if (wave.branched) wave.branch_until = time + spec_.issue.branch_latency;
  wave.sleep_until = 0;
  if (step_.slept) {
    slept_ = true;
    wave.sleep_until =
        time + spec_.issue.sleep_unit * static_cast<std::uint64_t>(facts.immediate & 127);
  } else if (facts.port == Port::kInternal && facts.is_nop) {
    wave.sleep_until =
        time + spec_.issue.slot_period * (static_cast<std::uint64_t>(facts.immediate & 15) + 1);
  }
  wave.held_back |= wave.branched || wave.sleep_until != 0;
}

void ComputeUnit::execute_memory(WaveContext& wave, unsigned simd, std::uint64_t time) {
  const StepFacts& facts = *step_.facts;
  if (facts.port == Port::kLds) {
    if (step_.access_count != 0 || facts.returns) execute_lds(wave, simd, time);
  } else if (facts.port == Port::kScalar) {
    const Due end = load_by_scalar_unit(wave, step_.address[0], true, time);
    wave.scalar_and_lds.add(end, Reason::kWaitScalarMemory, time, facts.index);
  } else {
    execute_vector_memory(wave, simd, time);
  }
}

Due ComputeUnit::load_by_scalar_unit(WaveContext& wave, std::uint64_t address, bool counts_lgkm,
                                     std::uint64_t time) {
  const Due done = scalar_.load(step_, address, time);
  if (done.known()) return done;
  return await({.wave = &wave,
                .scalar = true,
                .number = done.request(),
                .begin = time,
                .not_before = 0,
                .counts_vmcnt = !counts_lgkm,
                .counts_lgkm = counts_lgkm,
                .is_access = false});
}

void ComputeUnit::execute_lds(WaveContext& wave, unsigned simd, std::uint64_t time) {
  const auto [done, banks] = lds_.issue(step_, step_.lanes, simd, time, worker_->banks);
  tell_lds();
  InstructionTally& tally = worker_->ledger.of(*step_.facts);
  tally.lds_conflict_cycles += banks.conflict;
  note_lanes(step_, tally);
  counting_.lds_access(step_, banks, done - time);
  wave.scalar_and_lds.add(Due::at(done), Reason::kWaitLds, time, step_.facts->index);
}

namespace {

/// Loads by lanes of what is the same for all of them.
bool is_uniform_load(const machine::Step& step) {
  return step.facts->row->memory.action == isa::MemoryAction::kLoad && step.lds_lanes == 0 &&
         lanes_lie_apart(step, 0);
}

/// Bytes of a lane that an access takes of the 16 that one could, where the lanes lie side by side;
/// 0 for all others.
std::uint32_t narrow_bytes_of(const machine::Step& step) {
  const isa::MemoryAction action = step.facts->row->memory.action;
  const std::uint32_t bytes = step.access_bytes * step.access_count;
  const bool moves = action == isa::MemoryAction::kLoad || action == isa::MemoryAction::kStore;
  const bool is_row =
      moves && !step.scratch && bytes < kWidestAccess && lanes_lie_apart(step, bytes);
  return is_row ? bytes : 0;
}

}  // namespace

bool ComputeUnit::is_part_of_wide(WaveContext& wave) const {
  const std::uint32_t bytes = spec_.vmem.joins_narrow ? narrow_bytes_of(step_) : 0;
  if (bytes == 0) return false;
  const std::uint32_t index = step_.facts->index;
  if (wave.narrow_turns.size() <= index) wave.narrow_turns.resize(index + 1);
  return wave.narrow_turns[index]++ % (kWidestAccess / bytes) != 0;
}

void ComputeUnit::execute_vector_memory(WaveContext& wave, unsigned simd, std::uint64_t time) {
  const StepFacts& facts = *step_.facts;
  const bool is_access = facts.row->memory.action != isa::MemoryAction::kCacheControl;
  if (!is_access) wave.narrow_turns.clear();
  if (is_access && spec_.vmem.uniform_is_scalar && is_uniform_load(step_)) {
    const auto lane = static_cast<unsigned>(std::countr_zero(step_.lanes));
    scalar_.take(std::max(time, scalar_.accepts_at()));
    tell_scalar();
    const Due there = load_by_scalar_unit(wave, step_.address[lane], false, time);
    return wave.vector_memory.add(there, Reason::kWaitVectorMemory, time, facts.index);
  }
  Due done = is_access ? vector_memory_.issue(step_, time, worker_->plans)
                       : vector_memory_.cache_control(facts, time);
  tell_vector_memory();
  std::uint64_t not_before = 0;
  if (is_access) {
    const AddressPlan& plan = vector_memory_.last_plan();
    const std::uint32_t line_bytes = spec_.vmem.l1_line_bytes;
    InstructionTally& tally = worker_->ledger.of(facts);
    tally.lines_touched += plan.lines.size();
    tally.lines_needed += (plan.bytes + line_bytes - 1) / line_bytes;
    note_lanes(step_, tally);
    tally.translation_misses += vector_memory_.last_translation_misses();
    if (step_.lds_lanes != 0) {
      const auto lds = lds_.issue(step_, step_.lds_lanes, simd, time, worker_->banks);
      tell_lds();
      tally.lds_conflict_cycles += lds.banks.conflict;
      counting_.lds_access(step_, lds.banks, lds.done - time);
      not_before = lds.done;
    }
  }
  // Of turns of a loop that one access could do it waits for the first; the others only take room.
  if (is_access && is_part_of_wide(wave)) return;
  const bool counts_lgkm = is_access && facts.may_reach_lds;
  if (done.known()) {
    done = Due::at(std::max(done.cycle(), not_before));
    if (is_access) {
      counting_.vector_memory_was_under_way(done.cycle() - time);
      last_end_ = std::max(last_end_, done.cycle());
    }
  } else {
    done = await({.wave = &wave,
                  .scalar = false,
                  .number = done.request(),
                  .begin = time,
                  .not_before = not_before,
                  .counts_vmcnt = true,
                  .counts_lgkm = counts_lgkm,
                  .is_access = is_access});
  }
  const Reason reason = is_access ? Reason::kWaitVectorMemory : Reason::kWaitFence;
  const bool stores = facts.row->memory.action == isa::MemoryAction::kStore;
  wave.vector_memory.add(done, reason, time, facts.index, stores);
  if (counts_lgkm) wave.scalar_and_lds.add(done, reason, time, facts.index);
}

}  // namespace wavetank::timing
