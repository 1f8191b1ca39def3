// The memory levels of a launch's profile: traffic, and how the parts of a level shared the work.
#pragma once

#include <span>

#include "profile/launch_profile.hpp"
#include "timing/launch_facts.hpp"

namespace wavetank::timing {

/// Fills the levels and what is between them; the profile's cycles and units must be there.
void describe_levels(const LaunchFacts& facts, profile::LaunchProfile& profile);

/// How instances that were busy for so many of `cycles` shared their work.
profile::ChannelLoad channel_load(std::span<const double> busy_cycles, double cycles);

}  // namespace wavetank::timing
