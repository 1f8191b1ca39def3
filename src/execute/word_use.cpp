#include "execute/word_use.hpp"

#include <algorithm>
#include <span>

#include "machine/register_set.hpp"

namespace wavetank::execute {
namespace {

using isa::Format;
using isa::MemoryAction;
using machine::StepFacts;

bool is_scratch(const Op& op) { return op.memory.segment == Format::kScratch; }
bool has_memory(const isa::Row& row) { return row.memory.action != MemoryAction::kNone; }

/// Stack slots of code that is not optimised: scratch at an offset from a register.
bool is_stack(const Op& op, const isa::Row& row) {
  return has_memory(row) && (is_scratch(op) || (row.encoding.format == Format::kMubuf &&
                                                !op.memory.idxen && !op.memory.offen));
}

/// True for what no other wave can see of an op.
bool is_private(const Op& op, const isa::Row& row) {
  return !has_memory(row) || row.memory.action == MemoryAction::kLoad || is_stack(op, row);
}

/// A loop: the slots from a backward branch's target to the branch.
class Loop {
 public:
  Loop(const ProgramOps& program, std::span<const std::size_t> slots, const FactsOf& facts_of)
      : program_(program), slots_(slots), facts_of_(facts_of) {}

  /// True if a loop of these slots may wait for another wave: it has no barrier and stores nothing.
  bool may_wait() const {
    return std::all_of(slots_.begin(), slots_.end(), [&](std::size_t slot) {
      const Op& op = program_.ops[slot];
      const isa::Row& row = row_of(op);
      return row.pause != isa::Pause::kBarrier && !row.indirect_flow && is_private(op, row);
    });
  }

  /// Adds the loads whose address is the same in each round: those before the first branch, and in
  /// LDS those behind branches that only leave the loop or begin its next round.
  void add_polling(std::vector<std::size_t>& found) {
    bool prepared = false, behind_branch = false;
    for (const std::size_t slot : slots_) {
      const Op& op = program_.ops[slot];
      const isa::Row& row = row_of(op);
      if (isa::branches(row)) {
        if (!leaves_or_repeats(slot, op)) return;
        behind_branch = true;
        continue;
      }
      if (behind_branch && row.encoding.format != Format::kDs) continue;
      if (row.memory.action != MemoryAction::kLoad || is_stack(op, row)) continue;
      if (row.encoding.format == Format::kSmem) continue;
      if (!prepared) find_variants();
      prepared = true;
      if (!variants_.any_read(facts_of_(slot))) found.push_back(slot);
    }
  }

 private:
  /// True for a branch out of the loop or to its first slot.
  bool leaves_or_repeats(std::size_t slot, const Op& op) const {
    const std::size_t target = branch_target(op, slot);
    return target <= slots_.front() || target > slots_.back();
  }
  bool is_stored_to(const Op& load) const {
    return std::any_of(slots_.begin(), slots_.end(), [&](std::size_t slot) {
      const Op& op = program_.ops[slot];
      return row_of(op).memory.action == MemoryAction::kStore &&
             op.memory.offset == load.memory.offset;
    });
  }
  /// True if what an op writes is the same in each round as far as is known so far.
  bool gives_invariants(const Op& op, const StepFacts& facts) const {
    const isa::Row& row = row_of(op);
    if (has_memory(row)) {
      if (!is_stack(op, row) || is_stored_to(op)) return false;
    }
    return !variants_.any_read(facts);
  }

  /// Finds the registers that may change from round to round. First those that depend on
  /// themselves, or on what is loaded, count; then whatever is computed from them.
  void find_variants() {
    std::vector<StepFacts> facts;
    for (const std::size_t slot : slots_) facts.push_back(facts_of_(slot));
    for (const StepFacts& each : facts) variants_.put_results(each, true);
    // Takes out what is computed from registers that do not change, until nothing more is.
    for (bool changed = true; changed;) {
      machine::RegisterSet left;
      for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (!gives_invariants(program_.ops[slots_[i]], facts[i])) left.put_results(facts[i], true);
      }
      changed = left != variants_;
      variants_ = left;
    }
  }

  const ProgramOps& program_;
  std::span<const std::size_t> slots_;
  const FactsOf& facts_of_;
  machine::RegisterSet variants_;  ///< registers that may change from round to round
};

/// Calls visit(slots) for each loop: the slots from the target of a backward branch to the branch.
template <class Visit>
void for_each_loop(const ProgramOps& program, Visit visit) {
  const auto& slots = program.slots;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Op& op = program.ops[slots[i]];
    if (!isa::branches(row_of(op)) || op.branch >= 0) continue;
    const auto upwards = slots.first(i + 1);
    const auto first = std::ranges::lower_bound(upwards, branch_target(op, slots[i]));
    visit(upwards.subspan(static_cast<std::size_t>(first - upwards.begin())));
  }
}

bool is_lds(const isa::Row& row) {
  return row.encoding.format == Format::kDs && isa::concerns_memory(row.memory);
}

/// True if an access to LDS may be under way at a barrier.
bool has_lds_at_barrier(const ProgramOps& program, const FactsOf& facts_of) {
  SlotWalk walk(program);
  for (const std::size_t slot : program.slots) {
    if (is_lds(row_of(program.ops[slot]))) walk.reach(slot + program.ops[slot].dwords);
  }
  while (const auto slot = walk.next()) {
    const isa::Row& row = row_of(program.ops[*slot]);
    if (row.pause == isa::Pause::kBarrier) return true;
    const bool waits = row.sources[0].immediate == isa::ImmediateKind::kWaitcnt &&
                       facts_of(*slot).lgkmcnt_limit == 0;
    if (!row.indirect_flow && !waits) walk.reach_successors(*slot);
  }
  return false;
}

}  // namespace

std::vector<std::size_t> polling_loads(const ProgramOps& program, const FactsOf& facts_of) {
  std::vector<std::size_t> found;
  for_each_loop(program, [&](std::span<const std::size_t> slots) {
    Loop loop(program, slots, facts_of);
    if (loop.may_wait()) loop.add_polling(found);
  });
  std::sort(found.begin(), found.end());
  return found;
}

WordUse word_use(const ProgramOps& program, const FactsOf& facts_of) {
  WordUse use;
  bool has_lds = false;
  for (const std::size_t slot : program.slots) {
    const Op& op = program.ops[slot];
    const isa::Row& row = row_of(op);
    const bool lds = is_lds(row);
    has_lds = has_lds || lds || row.encoding.format == Format::kFlat;
    if (row.memory.action == MemoryAction::kAtomic && op.memory.returns) {
      use.learns_in_group = true;
      use.orders_lds = use.orders_lds || lds;
    }
    const bool past_caches =
        row.memory.action == MemoryAction::kLoad && !lds && op.memory.asks_others;
    use.learns_in_group = use.learns_in_group || past_caches;
  }
  if (!polling_loads(program, facts_of).empty()) use.learns_in_group = use.orders_lds = true;
  // A loop around an atomic is a lock, or a wait for a word.
  for_each_loop(program, [&](std::span<const std::size_t> slots) {
    for (const std::size_t slot : slots) {
      const Op& op = program.ops[slot];
      use.orders_lds = use.orders_lds ||
                       (row_of(op).memory.action == MemoryAction::kAtomic && op.memory.returns);
    }
  });
  use.orders_lds = has_lds && (use.orders_lds || has_lds_at_barrier(program, facts_of));
  return use;
}

}  // namespace wavetank::execute
