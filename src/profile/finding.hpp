// What a rule finds in a launch: rules have thresholds, what would remove the cause, and a page of
// explanation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
  /// The change that removes the cause (profile/change.hpp), if it is not the rule's.
  std::string change = {};
  /// What the launch gains without the cause, in percent of its time: by the answer to the change,
  /// or where there is none for it, by arithmetic on the launch (is_estimated).
  std::optional<double> gain_percent = {};
  bool is_estimated = false;
};

/// What a rule gives: nothing where it finds nothing.
using Found = std::optional<Finding>;

/// Launches of a run.
struct LaunchCounts {
  std::uint64_t of_kernel = 1;  ///< of the kernel that is judged
  std::uint64_t of_all = 1;
};

/// What a rule looks at.
struct FindingInput {
  const LaunchProfile& launch;
  const target::Device& device;
  double busiest_percent = 0;  ///< of all units and levels
  unsigned waves_per_cu = 0;   ///< that fit
  unsigned max_waves_per_cu = 0;
  LaunchCounts launches = {};
};

/// A rule: applies from `threshold` on, whose unit is in `unit`.
struct FindingRule {
  std::string_view id;
  double threshold;
  std::string_view unit;    ///< "% of all cache lines touched"
  std::string_view change;  ///< that removes the cause; empty: each finding's own, or an estimate
  std::string_view remedy;  ///< what to do, in one sentence
  Found (*find)(const FindingInput& input, double threshold);
  /// The change of other rules that takes this cause away among others; empty: there is none.
  std::string_view part_of = {};
};

/// The change that removes a finding's cause; empty if the gain is estimated.
inline std::string_view change_of(const Finding& finding) {
  return finding.change.empty() ? finding.rule->change : std::string_view(finding.change);
}

}  // namespace wavetank::profile
