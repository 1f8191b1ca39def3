// What launches would take if something was otherwise, as a table.
#pragma once

#include <string>
#include <vector>

#include "profile/launch_profile.hpp"
#include "report/kernel_group.hpp"
#include "report/text.hpp"

namespace wavetank::report {

/// The launch of a group that was timed again, or should have been; nullptr if none was.
const profile::LaunchProfile* timed_again(const std::vector<profile::LaunchProfile>& launches,
                                          const KernelGroup& group);

/// The changes by what they gain, single ones before those of several; what gains less than a
/// percent is but named. Empty for a launch that was not to be timed again.
std::string what_if_table(const profile::LaunchProfile& launch, const TextOptions& options);

}  // namespace wavetank::report
