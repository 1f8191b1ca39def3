// What a reader could do about a launch: what all rules find, and what of that is worth saying.
// docs/advice.md is made from the rules.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "profile/finding.hpp"
#include "profile/launch_profile.hpp"
#include "target/device.hpp"

namespace wavetank::profile {

/// All rules; of those that tell of the same thing, the one that knows more stands first.
std::span<const FindingRule> finding_rules();

/// What the rules find, weightiest first.
std::vector<Finding> find(const FindingInput& input);

/// The changes of findings on a launch that are no single row of change_rows(): code that takes no
/// time (profile/change.hpp, kFreeCode), and several at once.
std::vector<std::string> changes_of_findings(const LaunchProfile& launch,
                                             const target::Device& device);

/// Less is no advice.
inline constexpr double kLeastGainPercent = 3;

/// Of a launch that was timed again: the findings that gain at least kLeastGainPercent, the largest
/// gain first, each cause once. Of another launch all of them, as they are.
std::vector<Finding> advise(std::vector<Finding> findings, const LaunchProfile& launch);

}  // namespace wavetank::profile
