// Results that are used before they are there: after a memory instruction without its s_waitcnt, or
// with fewer wait states in between than the device asks for. Exact for the paths that waves take.
#pragma once

#include <array>
#include <cstdint>

#include "check/findings.hpp"
#include "check/group_clock.hpp"
#include "check/waits/pending_results.hpp"
#include "check/waits/recent_steps.hpp"
#include "machine/wave.hpp"

namespace wavetank::check {

/// The waves of one workgroup.
class WaitCheck {
 public:
  /// For the `group`th workgroup in dispatch order.
  explicit WaitCheck(std::uint64_t group) : group_(group) {}
  /// A wave is about to execute an instruction, of any sort. `in_lds`: lanes of a FLAT instruction
  /// address LDS.
  void on_instruction(const machine::Wave& wave, const machine::StepFacts& facts, bool in_lds,
                      const machine::WaitStates& states, Findings& findings);

 private:
  struct OfWave {
    PendingResults pending;
    RecentSteps recent;
  };
  Finding finding(const machine::Wave& wave, Kind kind, const machine::StepFacts& first,
                  const machine::StepFacts& second) const;

  const std::uint64_t group_;
  std::array<OfWave, kMostWaves> waves_ = {};
};

}  // namespace wavetank::check
