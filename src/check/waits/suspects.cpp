#include "check/waits/suspects.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "check/waits/memory_order.hpp"
#include "check/waits/pending_results.hpp"
#include "check/waits/recent_steps.hpp"

namespace wavetank::check {
namespace {

using machine::Flow;
using machine::FlowStep;
using machine::StepFacts;

/// What may be under way before a step, over all paths to it: earlier steps, and how much lies at
/// least behind them.
struct State {
  std::map<std::uint32_t, std::uint32_t> results;  ///< later instructions of the same counter
  std::map<std::uint32_t, std::uint32_t> recent;   ///< wait states since then
  std::uint32_t matrix_busy = ~std::uint32_t{0};   ///< wait states until the matrix core is free
};

/// Joins the second into the first. True if that changed.
bool join(std::map<std::uint32_t, std::uint32_t>& into,
          const std::map<std::uint32_t, std::uint32_t>& from) {
  bool changed = false;
  for (const auto& [step, distance] : from) {
    const auto [at, is_new] = into.emplace(step, distance);
    changed = changed || is_new || distance < at->second;
    at->second = std::min(at->second, distance);
  }
  return changed;
}

class Search {
 public:
  Search(const Flow& flow, const machine::WaitStates& states)
      : flow_(flow), states_(states), before_(flow.size()), known_(flow.size(), false) {}

  std::optional<EarlyUse> run() {
    for (std::uint32_t i = 0; i < flow_.size() && !found_; ++i) {
      if (!known_[i]) arrive(i, idle());
      while (!pending_.empty() && !found_) {
        const std::uint32_t at = pending_.back();
        pending_.pop_back();
        follow(at);
      }
    }
    return found_;
  }

 private:
  static State idle() { return {{}, {}, 0}; }

  /// Goes from a step as far as something is new.
  void follow(std::uint32_t at) {
    State state = before_[at];
    for (;;) {
      const FlowStep& step = flow_[at];
      if (step.facts.row->unit == isa::Unit::kMatrix) advance(state, state.matrix_busy);
      if (const auto first = too_early(step.facts, state)) {
        found_ = {*first, at};
        return;
      }
      pass(at, state);
      if (step.leaves) state = idle();
      if (step.target != FlowStep::kNowhere) arrive(step.target, state);
      if (step.following == FlowStep::kNowhere || !arrive(step.following, state)) return;
      pending_.pop_back();
      at = step.following;
      state = before_[at];
    }
  }

  /// A path comes to a step. True if it is to be looked at (again).
  bool arrive(std::uint32_t step, const State& state) {
    const bool first = !known_[step];
    known_[step] = true;
    bool changed = join(before_[step].results, state.results);
    changed = join(before_[step].recent, state.recent) || changed;
    changed = changed || state.matrix_busy < before_[step].matrix_busy;
    before_[step].matrix_busy = std::min(before_[step].matrix_busy, state.matrix_busy);
    if (first || changed) pending_.push_back(step);
    return first || changed;
  }

  /// What an instruction comes too early after.
  std::optional<std::uint32_t> too_early(const StepFacts& facts, const State& state) const {
    for (const auto& [first, later] : state.results) {
      if (needs_result(flow_[first].facts, facts)) return first;
    }
    for (const auto& [first, distance] : state.recent) {
      const std::int32_t wanted = wait_states(flow_[first].facts, facts, states_);
      if (wanted > static_cast<std::int32_t>(distance)) return first;
    }
    return std::nullopt;
  }

  static void advance(State& state, std::uint32_t wait_states) {
    for (auto& [step, distance] : state.recent) distance += wait_states;
    state.matrix_busy -= std::min(state.matrix_busy, wait_states);
  }

  void pass(std::uint32_t at, State& state) const {
    const StepFacts& facts = flow_[at].facts;
    advance(state, own_wait_states(facts));
    state.matrix_busy = std::max(state.matrix_busy, std::uint32_t{facts.row->matrix.passes});
    std::erase_if(state.recent, [&](const auto& recent) {
      return recent.second >= machine::kFarthestWaitStates ||
             ends_wait_of(facts, flow_[recent.first].facts);
    });
    if (makes_wait(facts)) state.recent[at] = 0;
    if (facts.is_waitcnt) {
      wait(state, Counter::kVmcnt, facts.vmcnt_limit);
      wait(state, Counter::kLgkmcnt, facts.lgkmcnt_limit);
    }
    const Counter counter = counter_of(facts, false);
    if (counter == Counter::kNone) return;
    for (auto& [step, later] : state.results) {
      later += counter_of(flow_[step].facts, false) == counter ? 1 : 0;
    }
    if (facts.returns) state.results[at] = 0;
  }

  void wait(State& state, Counter counter, unsigned limit) const {
    const auto is_of = [&](std::uint32_t step) {
      return counter_of(flow_[step].facts, false) == counter;
    };
    const bool in_order = std::ranges::all_of(state.results, [&](const auto& result) {
      return !is_of(result.first) || is_in_order(flow_[result.first].facts);
    });
    std::erase_if(state.results, [&](const auto& result) {
      return is_of(result.first) && (limit == 0 || (in_order && result.second >= limit));
    });
  }

  const Flow& flow_;
  const machine::WaitStates& states_;
  std::vector<State> before_;
  std::vector<bool> known_;
  std::vector<std::uint32_t> pending_;
  std::optional<EarlyUse> found_;
};

}  // namespace

std::optional<EarlyUse> find_early_use(const Flow& flow, const machine::WaitStates& states) {
  return Search(flow, states).run();
}

}  // namespace wavetank::check
