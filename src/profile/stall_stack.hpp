// Where the cycles of the wave slots went, ready to be shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/launch_profile.hpp"

namespace wavetank::profile {

/// One bar of the stack.
struct StallShare {
  Reason reason = Reason::kEmpty;
  std::uint64_t cycles = 0;
  unsigned permille = 0;           ///< tenths of a percent, rounded so that the stack sums to 1000
  unsigned permille_of_waves = 0;  ///< the same of the cycles of resident waves; 0 for kEmpty
};

/// Slot cycles of all reasons.
std::uint64_t total_cycles(const ReasonCycles& cycles);

/// Slot cycles in which a wave was resident: all but kEmpty.
std::uint64_t resident_cycles(const ReasonCycles& cycles);

/// The reasons that occur, in the order of Reason. The shares are rounded by largest remainders:
/// they always sum to 1000, unless there are no cycles at all, or none of waves.
std::vector<StallShare> stall_stack(const ReasonCycles& cycles);

/// The page of `wavetank explain` about a reason: "wait-vector-memory".
std::string explain_page_of(Reason reason);

}  // namespace wavetank::profile
