#include "report/what_if_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "profile/change.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;
using profile::WhatIf;

/// Less is within what the model says anyhow.
constexpr double kLeastPercent = 1;
constexpr std::size_t kNameColumns = 26;

bool is_several(const WhatIf& answer) {
  return answer.change == profile::kAllChanges || answer.change.find('+') != std::string::npos;
}

std::string row_of(const LaunchProfile& launch, const WhatIf& answer) {
  const double gain = profile::gain_percent(launch, answer);
  const std::string name = answer.change == profile::kAllChanges ? "all of them" : answer.change;
  std::string text = "    " + left(name, kNameColumns);
  if (width_of(name) > kNameColumns) text += "\n" + std::string(4 + kNameColumns, ' ');
  const double milliseconds = launch.engine_clock_mhz > 0 ? static_cast<double>(answer.cycles) /
                                                                launch.engine_clock_mhz / 1e3
                                                          : 0;
  text += fmt::format(" {}  {:>+6.1f} %  ", right(duration(milliseconds), 9), -gain);
  text += bar(std::clamp(gain / 100, 0.0, 1.0), kBarColumns);
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

/// The rows of single changes, or of several together; names what changes little.
std::string rows_of(const LaunchProfile& launch, bool several, const TextOptions& options) {
  std::vector<const WhatIf*> answers;
  std::vector<std::string_view> small;
  for (const WhatIf& answer : launch.what_if) {
    if (is_several(answer) != several || !answer.problem.empty()) continue;
    const double change = std::abs(profile::gain_percent(launch, answer));
    const bool matters = several || change >= kLeastPercent || launch.what_if.size() == 1;
    if (matters)
      answers.push_back(&answer);
    else
      small.push_back(answer.change);
  }
  std::ranges::sort(answers, {}, &WhatIf::cycles);
  std::string text;
  for (const WhatIf* const answer : answers) text += row_of(launch, *answer);
  if (small.empty()) return text;
  const std::string names =
      fmt::format("    less than {:g} %: {}", kLeastPercent, fmt::join(small, ", "));
  return text + dim(wrapped(names, options.columns, 6), options) + "\n";
}

}  // namespace

const LaunchProfile* timed_again(const std::vector<LaunchProfile>& launches,
                                 const KernelGroup& group) {
  for (const std::size_t index : group.launches) {
    const LaunchProfile& launch = launches[index];
    if (!launch.what_if.empty() || !launch.not_repeatable.empty()) return &launch;
  }
  return nullptr;
}

std::string what_if_table(const LaunchProfile& launch, const TextOptions& options) {
  if (!launch.not_repeatable.empty()) {
    return wrapped("  Not timed again: " + launch.not_repeatable, options.columns, 4) + "\n";
  }
  if (launch.what_if.empty()) return "";
  std::string text = "  " + bold("What if", options) + std::string(kNameColumns + 1, ' ') +
                     "time      change\n" + rows_of(launch, false, options);
  const std::string several = rows_of(launch, true, options);
  if (!several.empty()) text += "   together\n" + several;
  for (const WhatIf& answer : launch.what_if) {
    if (answer.problem.empty()) continue;
    text += wrapped(fmt::format("    {}: not known, {}", answer.change, answer.problem),
                    options.columns, 6) +
            "\n";
  }
  return text;
}

}  // namespace wavetank::report
