// AMD's names of the counters that the model counts, and how each is reduced over its instances.
#pragma once

#include <map>
#include <string>

#include "profile/launch_profile.hpp"
#include "timing/launch_facts.hpp"

namespace wavetank::timing {

using CounterMap = std::map<std::string, profile::CounterValue, std::less<>>;

/// All counters of a launch. Of one that was sampled those of the CUs are scaled: what a wave's
/// start counts by the number of workgroups, the others by that of instructions.
void collect_counters(const LaunchFacts& facts, CounterMap& counters);

}  // namespace wavetank::timing
