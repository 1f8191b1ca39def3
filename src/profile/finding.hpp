// What a reader could do about a launch: rules with thresholds, each with what would remove its
// cause and a page of explanation. docs/advice.md is made from them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/launch_profile.hpp"
#include "target/device.hpp"

namespace wavetank::profile {

struct FindingRule;

/// One thing that a rule found.
struct Finding {
  std::string_view id;                ///< the page of `wavetank explain`: "uncoalesced"
  std::string text;                   ///< "stores touch 64 cache lines where 8 would do"
  std::string place;                  ///< "transpose.hip:23"; may be empty
  double weight = 0;                  ///< 0 to 100: the share of the launch that it concerns
  const FindingRule* rule = nullptr;  ///< that found it
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

/// A rule: applies from `threshold` on, whose unit is in `unit`.
struct FindingRule {
  std::string_view id;
  double threshold;
  std::string_view unit;    ///< "% of all cache lines touched"
  std::string_view remedy;  ///< what to do, in one sentence
  std::optional<Finding> (*find)(const FindingInput& input, double threshold);
};

/// All rules; of those that tell of the same thing, the one that knows more stands first.
std::span<const FindingRule> finding_rules();

/// What the rules find, weightiest first.
std::vector<Finding> find(const FindingInput& input);

}  // namespace wavetank::profile
