#include "timing/dispatch/rest_probe.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace wavetank::timing {
namespace {

/// Instructions of a wave before another one of its workgroup goes on, which it may wait for.
constexpr unsigned kTurn = 256;

}  // namespace

Result<void> RestProbe::run(std::uint64_t first, std::uint64_t last) {
  const std::uint64_t groups = last - first;
  const auto wanted =
      static_cast<std::uint64_t>(std::clamp(kInstructions / std::max(seen_, 1.0), kFewest, kMost));
  const std::uint64_t counted = groups < 2 * wanted ? 0 : wanted;
  std::uint64_t begin = first;
  for (std::uint64_t i = 0; i < counted && instructions_ < kMostInstructions; ++i) {
    // In the order of the grid: a workgroup may wait for those before it.
    const std::uint64_t chosen = first + (2 * i + 1) * groups / (2 * counted);
    if (auto done = source_.run_functionally(begin, chosen); !done) return done;
    const auto ran_all = count(chosen, last);
    if (!ran_all) return tl::unexpected(ran_all.error());
    if (*ran_all) return {};
    begin = chosen + 1;
  }
  return source_.run_functionally(begin, last);
}

void RestProbe::open_barrier(machine::SteppedGroup& group, std::vector<State>& states) {
  if (std::ranges::any_of(states, [](State state) { return state == State::kRuns; })) return;
  for (unsigned i = 0; i < states.size(); ++i) {
    if (states[i] != State::kAtBarrier) continue;
    group.wave(i).pass_barrier();
    states[i] = State::kRuns;
  }
}

Result<bool> RestProbe::count(std::uint64_t workgroup, std::uint64_t last) {
  const auto group = source_.start(workgroup);
  if (!group) return tl::unexpected(group.error());
  (*group)->begin();
  const std::uint64_t before = instructions_;
  const auto patience = static_cast<std::uint64_t>(std::max(kPatience * seen_, kLeastPatience));
  bool ran_all = false;
  std::vector<State> states((*group)->waves(), State::kRuns);
  while (std::ranges::any_of(states, [](State state) { return state != State::kEnded; })) {
    open_barrier(**group, states);
    if (!ran_all && instructions_ - before > patience) {
      if (auto done = source_.run_functionally(workgroup + 1, last); !done) {
        return tl::unexpected(done.error());
      }
      ran_all = true;
    }
    for (unsigned i = 0; i < states.size(); ++i) {
      if (states[i] != State::kRuns) continue;
      const auto state = take_turn((*group)->wave(i));
      if (!state) return tl::unexpected(state.error());
      states[i] = *state;
    }
  }
  source_.finish(*group);
  counts_.push_back(static_cast<double>(instructions_ - before));
  return ran_all;
}

Result<RestProbe::State> RestProbe::take_turn(machine::SteppedWave& wave) {
  for (unsigned i = 0; i < kTurn; ++i) {
    const auto next = wave.next();
    if (!next) return tl::unexpected(next.error());
    step_.facts = *next;
    if (!wave.tell(step_)) {
      if (auto done = wave.step(step_); !done) return tl::unexpected(done.error());
    }
    ++instructions_;
    if (step_.ended) return State::kEnded;
    if (step_.at_barrier) return State::kAtBarrier;
    if (step_.slept) {
      source_.serve_host();
      break;
    }
  }
  return State::kRuns;
}

RestProbe::Finding RestProbe::finding() const {
  const auto n = static_cast<double>(counts_.size());
  if (counts_.size() < 2 || seen_ <= 0) return {};
  const double mean = std::accumulate(counts_.begin(), counts_.end(), 0.0) / n;
  double squares = 0;
  for (const double count : counts_) squares += (count - mean) * (count - mean);
  const double error = std::sqrt(squares / (n - 1) / n);
  if (std::abs(mean - seen_) < std::max(kNoMatter * seen_, 2 * error)) return {};
  return {.ratio = mean / seen_, .error_percent = 100 * error / mean};
}

}  // namespace wavetank::timing
