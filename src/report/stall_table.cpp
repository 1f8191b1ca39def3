#include "report/stall_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "profile/launch_overhead.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;
using profile::Reason;
using profile::StallShare;

struct Row {
  std::string name;
  unsigned permille = 0, permille_of_waves = 0;
  bool is_of_waves = true;
  std::string place = "";
};

bool is_mostly_empty(const std::vector<StallShare>& stack) {
  return !stack.empty() && stack.back().reason == Reason::kEmpty &&
         stack.back().permille >= kEmptyPermille && stack.size() > 1;
}

/// The share that decides whether a row is shown, and where it is to blame.
unsigned weight_of(const StallShare& share, bool beside) {
  return beside ? std::max(share.permille, share.permille_of_waves) : share.permille;
}

/// The place or the part of the device to blame, where a row matters; where instructions issue, the
/// hottest lines say it.
std::string blame_of(const LaunchProfile& launch, const StallShare& share, unsigned weight) {
  constexpr double kLeastPercent = 10;
  if (share.reason == Reason::kEmpty) {
    const double waiting = profile::dispatch_percent(launch);
    return waiting < kLeastPercent ? ""
                                   : fmt::format("← {:.0f} % wait for the dispatcher", waiting);
  }
  const bool wait = share.reason > Reason::kIssueLds && weight >= 30;
  const auto* worst = wait ? profile::worst_instruction(launch, share.reason) : nullptr;
  return worst != nullptr ? "← " + profile::place_of(*worst) : "";
}

std::vector<Row> rows_of(const LaunchProfile& launch, const std::vector<StallShare>& stack,
                         bool beside, const TextOptions& options) {
  std::vector<Row> rows;
  // What is below half a percent goes into one line, which stays small.
  Row rest{.name = "everything else"};
  for (const StallShare& share : stack) {
    const unsigned weight = weight_of(share, beside);
    if (weight < 5) {
      rest.permille += share.permille;
      rest.permille_of_waves += share.permille_of_waves;
      continue;
    }
    rows.push_back({in_words_of(profile::text_of(share.reason), options.terms), share.permille,
                    share.permille_of_waves, share.reason != Reason::kEmpty,
                    in_words_of(blame_of(launch, share, weight), options.terms)});
  }
  if (rest.permille > 0 || (beside && rest.permille_of_waves > 0)) rows.push_back(rest);
  return rows;
}

std::string percent_text(unsigned permille) {
  return fmt::format("{:>3}.{} %", permille / 10, permille % 10);
}

/// The shares of a row: of all slots, and if asked for, of waves.
std::string shares_of(const Row& row, bool beside) {
  std::string text = percent_text(row.permille);
  if (!beside) return text;
  return text + "  " + (row.is_of_waves ? percent_text(row.permille_of_waves) : "       ");
}

std::string sums(const LaunchProfile& launch, bool beside, std::size_t indent,
                 const TextOptions& options) {
  const std::string line(indent, ' ');
  const auto slots = static_cast<double>(profile::total_cycles(launch.cycles_by_reason));
  const auto waves = static_cast<double>(profile::resident_cycles(launch.cycles_by_reason));
  const std::string sum = slots == 0 ? "  0.0 %" : "100.0 %";
  if (!beside) {
    return line + "-------\n" + line +
           in_words_of(fmt::format("{}  of {} wave slot cycles\n", sum, short_number(slots)),
                       options.terms);
  }
  return line + "-------  -------\n" + line +
         in_words_of(fmt::format("{}  {}  of {}, {} cycles\n", sum, sum, short_number(slots),
                                 short_number(waves)),
                     options.terms);
}

}  // namespace

std::string stall_table(const LaunchProfile& launch, const profile::Verdict& verdict,
                        const TextOptions& options) {
  const bool beside = is_mostly_empty(verdict.stack);
  const std::vector<Row> rows = rows_of(launch, verdict.stack, beside, options);
  std::size_t name = 0;
  std::size_t place = 0;
  for (const Row& row : rows) {
    name = std::max(name, width_of(row.name));
    place = std::max(place, width_of(row.place));
  }
  const std::size_t shares = beside ? 26 : 17;
  const std::size_t used = std::min<std::size_t>(name + place + shares, options.columns - 8);
  const std::size_t bars = std::min<std::size_t>(options.columns - used, kBarColumns);
  std::string text = "\n  " + bold("Where the cycles went", options) + "\n";
  if (beside) {
    text += std::string(name + 6, ' ') + in_words_of("of slots of waves\n", options.terms);
  }
  for (const Row& row : rows) {
    const unsigned drawn_share = beside ? row.permille_of_waves : row.permille;
    const std::string drawn = bar(drawn_share / 1000.0, bars);
    std::string line =
        fmt::format("    {}  {}  {}", left(row.name, name), shares_of(row, beside),
                    row.place.empty() ? drawn : left(drawn, bars) + "  " + row.place);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text + sums(launch, beside, name + 6, options);
}

}  // namespace wavetank::report
