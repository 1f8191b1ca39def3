#include "execute/edge.hpp"

#include <algorithm>

#include "execute/instruction_numbers.hpp"
#include "execute/step_facts.hpp"
#include "isa/catalogue.hpp"
#include "machine/listener.hpp"

namespace wavetank::execute {
namespace {

using machine::EdgeKind;
using machine::StepFacts;
using machine::Stop;
using machine::Wave;

/// What the listener is told of the target's row that `fits`, as an instruction without operands.
template <class Fits>
void add_facts(std::vector<StepFacts>& told, const isa::Target& target, Fits fits) {
  for (const isa::Row& row : isa::catalogue()) {
    if (!target.has(row.lifetime) || !fits(row)) continue;
    encoding::Instruction instruction;
    instruction.row = &row;
    told.push_back(step_facts(instruction, 0));
    told.back().index = next_instruction_index();
  }
}

/// The immediate is 0: all counters are waited for.
void add_wait(std::vector<StepFacts>& told, const isa::Target& target) {
  add_facts(told, target, [](const isa::Row& row) {
    return row.sources[0].immediate == isa::ImmediateKind::kWaitcnt;
  });
}

void add_meeting(std::vector<StepFacts>& told, const isa::Target& target) {
  add_facts(told, target, [](const isa::Row& row) {
    return row.memory.special == isa::MemorySpecial::kGwsBarrier;
  });
}

/// As __threadfence() is compiled: LLVM AMDGPUUsage, "Memory Model gfx90a" and "gfx942".
void add_fence(std::vector<StepFacts>& told, const isa::Target& target) {
  add_facts(told, target, [](const isa::Row& row) { return row.memory.writes_back_l2; });
  add_wait(told, target);
  const bool has_scope = target.has_scope_bits;
  add_facts(told, target, [=](const isa::Row& row) {
    return row.memory.invalidates_l1 &&
           (has_scope ? row.memory.has_scope : row.memory.volatile_lines);
  });
}

void add_barrier(std::vector<StepFacts>& told, const isa::Target& target) {
  add_facts(told, target, [](const isa::Row& row) { return row.pause == isa::Pause::kBarrier; });
}

}  // namespace

EdgeStop::EdgeStop(const std::vector<EdgeKind>& kinds, Handler inner, std::uint64_t offset_bytes,
                   const isa::Target& target)
    : inner_(inner), stages_(1) {
  const auto has = [&](EdgeKind kind) { return std::ranges::find(kinds, kind) != kinds.end(); };
  const auto stop = [&](Stop at) {
    stages_.back().stop = at;
    stages_.emplace_back();
  };
  const bool of_grid = has(EdgeKind::kGridBarrier);
  if (has(EdgeKind::kFence) || of_grid) add_fence(stages_.back().told, target);
  if (of_grid || has(EdgeKind::kBarrier)) {
    add_barrier(stages_.back().told, target);
    stop(Stop::kBarrier);
  }
  if (of_grid) {
    // One wave of each workgroup meets those of the others, between two barriers of its own.
    add_meeting(stages_.back().told, target);
    stop(Stop::kGwsBarrier);
    add_wait(stages_.back().told, target);
    stop(Stop::kBarrier);
  }
  for (Stage& stage : stages_) {
    for (StepFacts& facts : stage.told) facts.offset_bytes = offset_bytes;
  }
}

const Op* EdgeStop::run(Wave& wave, const Op* op) const {
  std::size_t at = 0;
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = passed_.find(&wave); known != passed_.end()) at = known->second;
    if (stages_[at].stop == Stop::kGwsBarrier && wave.id_in_group != 0) ++at;
    if (at + 1 < stages_.size()) {
      passed_[&wave] = at + 1;
    } else {
      passed_.erase(&wave);
    }
  }
  const Stage& stage = stages_[at];
  for (const StepFacts& facts : stage.told) {
    machine::Step step;
    step.facts = &facts;
    step.access_count = 0;
    wave.environment->listener->on_instruction(wave, facts, step);
  }
  if (stage.stop == Stop::kRunning) return inner_(wave, op);
  return leave(wave, op, stage.stop);
}

}  // namespace wavetank::execute
