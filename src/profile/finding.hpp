// What a reader could do about a launch: rules with thresholds, each with a page of explanation.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/launch_profile.hpp"
#include "target/device.hpp"

namespace wavetank::profile {

/// One thing that a rule found.
struct Finding {
  std::string_view id;  ///< the page of `wavetank explain`: "uncoalesced"
  std::string text;     ///< "stores touch 64 cache lines where 8 would do"
  std::string place;    ///< "transpose.hip:23"; may be empty
  double weight = 0;    ///< 0 to 100: the share of the launch that it concerns
};

/// What a rule looks at.
struct FindingInput {
  const LaunchProfile& launch;
  const target::Device& device;
  double busiest_percent = 0;  ///< of all units and levels
  unsigned waves_per_cu = 0;   ///< that fit
  unsigned max_waves_per_cu = 0;
  std::uint64_t launches = 1;  ///< of this kernel in the run
};

/// A rule: applies from `threshold` on (its unit is in the text of its page).
struct FindingRule {
  std::string_view id;
  double threshold;
  std::optional<Finding> (*find)(const FindingInput& input, double threshold);
};

/// All rules.
std::span<const FindingRule> finding_rules();

/// What the rules find, weightiest first.
std::vector<Finding> find(const FindingInput& input);

}  // namespace wavetank::profile
