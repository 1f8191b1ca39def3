// How sure the numbers are that a launch's waiting rests on.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "profile/reason.hpp"
#include "target/device.hpp"

namespace wavetank::timing {

/// The device's numbers that decide how long a wait for this reason is; none for a reason whose
/// length is that of other waves' work. "mall.hit_latency" counts where the device has a MALL.
std::span<const std::string_view> parameters_behind(profile::Reason reason);

/// Percent of the cycles that waves waited, by the kind of evidence ("measured", "public",
/// "derived", "fitted", "assumed") that the device's numbers behind the wait have: for each reason
/// the least certain of parameters_behind(), where a missing number is an assumed one. Empty if
/// nothing waited.
std::map<std::string, double, std::less<>> evidence_of_waiting(const profile::ReasonCycles& cycles,
                                                               const target::Device& device);

}  // namespace wavetank::timing
