#include "check/data_dependence.hpp"

#include <vector>

#include "machine/register_set.hpp"

namespace wavetank::check {
namespace {

using isa::Format;
using isa::MemoryAction;
using machine::Flow;
using machine::FlowStep;
using machine::MemorySpace;
using machine::RegisterSet;
using machine::StepFacts;

/// What may hold before a step, over all paths to it.
struct State {
  RegisterSet data;     ///< what comes from memory
  RegisterSet changed;  ///< what the wave was not started with
  bool partly = false;  ///< EXEC was written: lanes that are out keep what registers held

  bool operator==(const State&) const = default;
};

class Search {
 public:
  explicit Search(const Flow& flow) : flow_(flow), before_(flow.size()), known_(flow.size()) {}

  /// What a wave keeps in LDS or scratch comes back anywhere: the search begins anew when the first
  /// datum goes there.
  bool run() {
    bool kept_before = false;
    do {
      kept_before = keeps_data_;
      before_.assign(flow_.size(), {});
      known_.assign(flow_.size(), false);
      for (std::uint32_t i = 0; i < flow_.size(); ++i) {
        if (!known_[i]) arrive(i, {});
        if (!follow_all()) return true;
      }
    } while (keeps_data_ != kept_before);
    return false;
  }

 private:
  void arrive(std::uint32_t step, const State& state) {
    State joined = before_[step];
    joined.data |= state.data;
    joined.changed |= state.changed;
    joined.partly = joined.partly || state.partly;
    if (known_[step] && joined == before_[step]) return;
    known_[step] = true;
    before_[step] = joined;
    pending_.push_back(step);
  }

  /// False if data leads somewhere.
  bool follow_all() {
    while (!pending_.empty()) {
      const std::uint32_t at = pending_.back();
      pending_.pop_back();
      if (!step(at)) return false;
    }
    return true;
  }

  /// Takes one instruction; false if data leads there.
  bool step(std::uint32_t at) {
    const FlowStep& step = flow_[at];
    State state = before_[at];
    if (step.facts.row == nullptr || step.leaves || !pass(step.facts, state)) return false;
    for (const std::uint32_t next : {step.following, step.target}) {
      if (next != FlowStep::kNowhere) arrive(next, state);
    }
    return true;
  }

  bool pass(const StepFacts& facts, State& state) {
    if (facts.conditional_branch) return !state.data.decides_branch();
    const bool touches_memory = isa::concerns_memory(facts.row->memory);
    const bool is_scalar = facts.row->unit == isa::Unit::kSalu;
    const bool reads_data = state.data.any_read(facts) || (is_scalar && state.data.scc);
    bool gives_data = reads_data;
    if (touches_memory) {
      if (addressed_by_data(facts, state)) return false;
      gives_data = loads_data(facts, state);
      const bool is_own = facts.space == MemorySpace::kLds || facts.space == MemorySpace::kScratch;
      if (reads_data && (is_own || facts.may_reach_lds)) keeps_data_ = true;
    }
    if (machine::writes_exec(facts)) {
      if (gives_data) return false;
      state.partly = true;
    }
    put(facts, gives_data, state);
    if (is_scalar) {
      state.data.scc =
          facts.row->encoding.format == Format::kSopc ? reads_data : state.data.scc || reads_data;
    }
    return true;
  }

  static bool addressed_by_data(const StepFacts& facts, const State& state) {
    return RegisterSet::any(state.data.vector, facts.address) || state.data.any_scalar_read(facts);
  }

  /// What an instruction gives to registers.
  bool loads_data(const StepFacts& facts, const State& state) const {
    switch (facts.space) {
      case MemorySpace::kScalar: return state.changed.any_scalar_read(facts);
      case MemorySpace::kLds:
      case MemorySpace::kScratch: return keeps_data_;
      default: return true;
    }
  }

  static void put(const StepFacts& facts, bool data, State& state) {
    for (const auto& range : facts.scalar_writes) {
      RegisterSet::put(state.data.scalar, range, data);
    }
    if (data || !state.partly) {
      for (const auto& range : facts.vector_writes) {
        RegisterSet::put(state.data.vector, range, data);
      }
    }
    state.changed.put_results(facts, true);
  }

  const Flow& flow_;
  std::vector<State> before_;
  std::vector<bool> known_;
  std::vector<std::uint32_t> pending_;
  bool keeps_data_ = false;
};

}  // namespace

bool is_led_by_data(const Flow& flow) { return Search(flow).run(); }

}  // namespace wavetank::check
