#include "execute/edge.hpp"

#include <algorithm>

#include "execute/heard.hpp"
#include "execute/program.hpp"
#include "execute/step_facts.hpp"
#include "isa/atomics.hpp"
#include "machine/listener.hpp"

namespace wavetank::execute {
namespace {

using machine::EdgeKind;
using machine::StepFacts;
using machine::Stop;
using machine::Wave;

/// What the step facts of an instruction without operands are, for each row that `fits`.
template <class Fits>
void add_facts(std::vector<StepFacts>& told, const ProgramSpec& spec, Fits fits) {
  for (const isa::Row& row : isa::catalogue()) {
    if (!isa::has_target(row.targets, spec.target)) continue;
    encoding::Instruction instruction;
    instruction.row = &row;
    StepFacts facts = step_facts(instruction, spec);
    if (!fits(row, facts)) continue;
    facts.index = next_instruction_index();
    told.push_back(facts);
    return;
  }
}

/// As __threadfence() is compiled: LLVM AMDGPUUsage, "Memory Model gfx90a" and "gfx942".
void add_fence(std::vector<StepFacts>& told, const ProgramSpec& spec) {
  add_facts(told, spec, [](const isa::Row& row, const auto&) { return row.memory.writes_back_l2; });
  // The immediate is 0: all counters are waited for.
  add_facts(told, spec, [](const auto&, const StepFacts& facts) { return facts.is_waitcnt; });
  add_facts(told, spec, [](const isa::Row& row, const auto&) { return row.memory.invalidates_l1; });
}

void add_barrier(std::vector<StepFacts>& told, const ProgramSpec& spec) {
  add_facts(told, spec,
            [](const isa::Row& row, const auto&) { return row.pause == isa::Pause::kBarrier; });
}

}  // namespace

EdgeStop::EdgeStop(const std::vector<EdgeKind>& kinds, Handler inner, std::uint64_t offset_bytes,
                   const ProgramSpec& spec)
    : inner_(inner) {
  const auto has = [&](EdgeKind kind) { return std::ranges::find(kinds, kind) != kinds.end(); };
  const bool of_grid = has(EdgeKind::kGridBarrier);
  if (has(EdgeKind::kFence)) add_fence(told_, spec);
  if (of_grid || has(EdgeKind::kBarrier)) {
    add_barrier(told_, spec);
    stops_.push_back(Stop::kBarrier);
  }
  // One wave of each workgroup meets those of the others, between two barriers of its own.
  if (of_grid) stops_.insert(stops_.end(), {Stop::kGwsBarrier, Stop::kBarrier});
  for (StepFacts& facts : told_) facts.offset_bytes = offset_bytes;
}

const Op* EdgeStop::run(Wave& wave, const Op* op) const {
  std::size_t at = 0;
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = passed_.find(&wave); known != passed_.end()) at = known->second;
    if (at < stops_.size() && stops_[at] == Stop::kGwsBarrier && wave.id_in_group != 0) ++at;
    if (at < stops_.size()) {
      passed_[&wave] = at + 1;
    } else {
      passed_.erase(&wave);
    }
  }
  for (const StepFacts& facts : told_) {
    if (at != 0) break;
    machine::Step step;
    step.facts = &facts;
    wave.environment->listener->on_instruction(wave, facts, step);
  }
  if (at == stops_.size()) return inner_(wave, op);
  wave.stop = stops_[at];
  wave.next = op;
  return nullptr;
}

const Op* run_edge(Wave& wave, const Op* op) { return wave.program->heard(op).edge->run(wave, op); }

const isa::Row& row_of_atomics(isa::Targets target) {
  const auto rows = isa::catalogue();
  return *std::ranges::find_if(rows, [&](const isa::Row& row) {
    return isa::has_target(row.targets, target) &&
           row.memory.action == isa::MemoryAction::kAtomic && !isa::is_exchange(row.memory.atomic);
  });
}

}  // namespace wavetank::execute
