// How sure the numbers are that a launch's waiting rests on.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/launch_profile.hpp"
#include "target/device.hpp"

namespace wavetank::timing {

/// The device's numbers that decide how long a wait for this reason is; none for a reason whose
/// length is that of other waves' work. "mall.hit_latency" counts where the device has a MALL.
std::span<const std::string_view> parameters_behind(profile::Reason reason);

/// The numbers that decide how fast a resource of vector memory works off what waits for it, mostly
/// atomics or not; none for one whose rate is no number of the device's file. The name is that of
/// profile::Limit.
std::span<const std::string_view> parameters_behind(std::string_view resource, bool atomics);

/// Percent of the cycles that waves waited, by the kind of evidence ("measured", "public",
/// "derived", "fitted", "assumed") that the device's numbers behind the wait have: for each reason
/// the least certain of parameters_behind(), where a missing number is an assumed one. Waits for
/// vector memory rest on the resource that bounds the launch, if it is one of memory. Empty if
/// nothing waited.
std::map<std::string, double, std::less<>> evidence_of_waiting(const profile::LaunchProfile& launch,
                                                               const target::Device& device);

/// The numbers behind all that, each once: those that the time of the launch rests on.
std::vector<std::string_view> numbers_of_waiting(const profile::LaunchProfile& launch,
                                                 const target::Device& device);

}  // namespace wavetank::timing
