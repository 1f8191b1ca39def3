// Fences that are of no use, or reach farther than they have to, in words.
#pragma once

#include <string>

#include "check/describe.hpp"
#include "check/diagnosis.hpp"
#include "check/fence_use.hpp"

namespace wavetank::check {

/// What became of a fence of the source in a whole run.
struct FenceWords {
  LaunchWords launch;               ///< the first one that executed it
  InstructionWords fence;           ///< its first instruction
  InstructionWords learnt_by = {};  ///< what is FenceUse::learnt_by; empty: nothing
  FenceUse use;                     ///< of all launches; `parts` is empty
  std::string device;               ///< the name of the first launch's
  std::uint64_t cycles = 0;         ///< that one takes there
  double clock_mhz = 0;
};

/// Advice for a fence that is too much.
Diagnosis describe(const FenceWords& words);

}  // namespace wavetank::check
