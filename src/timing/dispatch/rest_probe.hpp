// Runs what of a sampled launch is not simulated, and finds out on the way whether it is like what
// was: of workgroups at even distances the instructions are counted.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/step.hpp"

namespace wavetank::timing {

class RestProbe {
 public:
  /// The workgroups that were simulated issued so many instructions each.
  RestProbe(machine::GridSource& source, machine::StepClock clock, double instructions_per_group)
      : source_(source), seen_(instructions_per_group) {
    step_.clock = clock;
  }

  /// Runs workgroups [first, last) to their ends. Errors: what the program does wrong.
  Result<void> run(std::uint64_t first, std::uint64_t last);

  /// How many times as many instructions as those that were simulated the others issue, and the
  /// standard error of that in percent: exactly 1 where what was counted does not say otherwise.
  struct Finding {
    double ratio = 1, error_percent = 0;
  };
  Finding finding() const;

 private:
  /// Workgroups that are counted: as many as issue so many instructions, within bounds.
  static constexpr double kInstructions = 1e6;
  static constexpr double kFewest = 16, kMost = 128;
  /// Beyond so many instructions nothing is counted any more.
  static constexpr std::uint64_t kMostInstructions = 10'000'000;
  /// What differs by less is the grid's border.
  static constexpr double kNoMatter = 0.02;

  /// A workgroup that issues so many times what others did may wait for those behind it.
  static constexpr double kPatience = 64, kLeastPatience = 1e5;

  enum class State : std::uint8_t { kRuns, kAtBarrier, kEnded };
  /// Runs a workgroup by itself and counts what it issues. True if it had to run those behind it,
  /// up to `last`, too.
  Result<bool> count(std::uint64_t workgroup, std::uint64_t last);
  /// Lets the waves that wait at a barrier pass if all do that have not ended.
  static void open_barrier(machine::SteppedGroup& group, std::vector<State>& states);
  /// Runs a wave until it waits, ends or has had its turn.
  Result<State> take_turn(machine::SteppedWave& wave);

  machine::GridSource& source_;
  const double seen_;
  machine::Step step_;
  std::uint64_t instructions_ = 0;
  std::vector<double> counts_;  ///< of workgroups, in their order
};

}  // namespace wavetank::timing
