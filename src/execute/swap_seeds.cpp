#include "execute/swap_seeds.hpp"

#include <algorithm>
#include <map>

#include "machine/register_set.hpp"

namespace wavetank::execute {
namespace {

using isa::AtomicOperation;
using isa::Format;
using isa::MemoryAction;
using machine::RegisterRange;
using machine::RegisterSet;
using machine::StepFacts;

bool is_swap(const isa::Row& row) {
  return row.memory.action == MemoryAction::kAtomic &&
         row.memory.atomic == AtomicOperation::kCompareSwap && row.encoding.format != Format::kSmem;
}

/// What registers hold at one place, on some path from the load.
struct State {
  RegisterSet guess;    ///< what comes from the load
  RegisterSet swapped;  ///< what a compare-and-swap gave
  bool operator==(const State&) const = default;
  bool join(const State& other) {
    const State before = *this;
    guess |= other.guess;
    swapped |= other.swapped;
    return !(*this == before);
  }
};

/// Follows the value of one load.
class Guess {
 public:
  Guess(const ProgramOps& program, const FactsOf& facts_of)
      : program_(program), facts_of_(facts_of) {}

  bool only_seeds_swaps(std::size_t load) {
    State start;
    start.guess.put_results(facts_of_(load), true);
    reach(load + program_.ops[load].dwords, start);
    while (!pending_.empty()) {
      const std::size_t slot = pending_.back();
      pending_.pop_back();
      State state = states_[slot];
      if (!step(slot, state)) return false;
      if (state.guess == RegisterSet{}) continue;
      for_successors(program_, slot, [&](std::size_t next) { reach(next, state); });
    }
    return seeds_;
  }

 private:
  void reach(std::size_t slot, const State& state) {
    const auto [at, is_new] = states_.emplace(slot, state);
    if (at->second.join(state) || is_new) pending_.push_back(slot);
  }

  /// Takes a compare-and-swap; false if the guess is used for anything but its comparand, or with
  /// another comparand.
  bool swap(const Op& op, const StepFacts& facts, State& state) {
    const isa::MemoryShape& shape = facts.row->memory;
    const bool lds = facts.row->encoding.format == Format::kDs;
    const auto dwords = static_cast<std::uint16_t>(shape.element_bytes / 4);
    const RegisterRange first{op.memory.data, dwords};
    const RegisterRange second{
        lds ? op.memory.data2 : static_cast<std::uint16_t>(op.memory.data + dwords), dwords};
    const bool compared = RegisterSet::any(state.guess.vector, lds ? first : second);
    RegisterSet others = state.guess;
    RegisterSet::put(others.vector, first, false);
    RegisterSet::put(others.vector, second, false);
    if (others.any_read(facts)) return false;
    const bool stored = RegisterSet::any(state.guess.vector, lds ? second : first);
    if (stored && !compared) return false;
    seeds_ = seeds_ || compared;
    state.guess.put_results(facts, false);
    state.swapped.put_results(facts, true);
    return true;
  }

  /// Takes one op; false if the guess decides something there.
  bool step(std::size_t slot, State& state) {
    const Op& op = program_.ops[slot];
    const StepFacts facts = facts_of_(slot);
    if (facts.row == nullptr || facts.row->indirect_flow) return false;
    const isa::Row& row = *facts.row;
    if (is_swap(row)) return swap(op, facts, state);
    if (facts.conditional_branch) return !state.guess.decides_branch();
    const bool guessed = state.guess.any_read(facts);
    const bool swapped = state.swapped.any_read(facts);
    if (isa::concerns_memory(row.memory)) {
      state.guess.put_results(facts, false);
      state.swapped.put_results(facts, false);
      return !guessed;
    }
    // To compare what a swap gave with the guess is to ask whether it was good.
    const bool scalar_compares = row.encoding.format == Format::kSopc;
    const bool settles = guessed && swapped && (row.mask_result || scalar_compares);
    const bool holds_guess = guessed && !settles;
    if (holds_guess && (scalar_compares || writes_exec(facts))) return false;
    state.guess.put_results(facts, holds_guess);
    state.swapped.put_results(facts, swapped && !row.mask_result);
    if (row.unit == isa::Unit::kSalu && row.encoding.format != Format::kSop1) {
      state.guess.scc = holds_guess;
    }
    return true;
  }

  const ProgramOps& program_;
  const FactsOf& facts_of_;
  bool seeds_ = false;
  std::map<std::size_t, State> states_;
  std::vector<std::size_t> pending_;
};

}  // namespace

std::vector<std::size_t> swap_seeds(const ProgramOps& program, const FactsOf& facts_of) {
  const auto has_swap =
      std::any_of(program.slots.begin(), program.slots.end(),
                  [&](std::size_t slot) { return is_swap(row_of(program.ops[slot])); });
  std::vector<std::size_t> found;
  if (!has_swap) return found;
  for (const std::size_t slot : program.slots) {
    const isa::Row& row = row_of(program.ops[slot]);
    if (row.memory.action != MemoryAction::kLoad) continue;
    if (Guess(program, facts_of).only_seeds_swaps(slot)) found.push_back(slot);
  }
  return found;
}

}  // namespace wavetank::execute
