// How sure the numbers are that a launch's waiting rests on.
#pragma once

#include <map>
#include <string>

#include "profile/reason.hpp"
#include "target/device.hpp"

namespace wavetank::timing {

/// Percent of the cycles that waves waited, by the kind of evidence ("measured", "public",
/// "derived", "fitted", "assumed") that the device's numbers behind the wait have: for each reason
/// the least certain of those that decide its length. Empty if nothing waited.
std::map<std::string, double, std::less<>> evidence_of_waiting(const profile::ReasonCycles& cycles,
                                                               const target::Device& device);

}  // namespace wavetank::timing
