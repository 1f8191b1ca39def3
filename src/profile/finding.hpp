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
  /// The change that removes the cause (profile/change.hpp), if it is not the rule's.
  std::string change = {};
  /// What the launch gains without the cause, in percent of its time: by the answer to the change,
  /// or where there is none for it, by arithmetic on the launch (is_estimated).
  std::optional<double> gain_percent = {};
  bool is_estimated = false;
};

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
  std::optional<Finding> (*find)(const FindingInput& input, double threshold);
  /// The change of other rules that takes this cause away among others; empty: there is none.
  std::string_view part_of = {};
};

/// The change that removes a finding's cause; empty if the gain is estimated.
inline std::string_view change_of(const Finding& finding) {
  return finding.change.empty() ? finding.rule->change : std::string_view(finding.change);
}

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
