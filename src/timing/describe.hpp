// From the state of the model after a launch to its profile: sums over CUs and channels, scaled to
// the whole launch where only a part was simulated.
#pragma once

#include "profile/launch_profile.hpp"
#include "timing/launch_facts.hpp"

namespace wavetank::timing {

/// Fills cycles, accounting, counters, units, levels and instructions.
void describe_launch(const LaunchFacts& facts, profile::LaunchProfile& profile);

}  // namespace wavetank::timing
