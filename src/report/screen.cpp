#include "report/screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "profile/advice.hpp"
#include "report/stall_table.hpp"
#include "report/what_if_table.hpp"

namespace wavetank::report {
namespace {

using profile::Bound;
using profile::LaunchProfile;
using profile::Reason;
using profile::Verdict;

std::string_view text_of(Bound bound) {
  constexpr std::array<std::string_view, 5> kTexts = {
      "Compute bound", "Memory bound", "Latency bound", "Synchronisation bound", "Launch bound"};
  return kTexts[static_cast<std::size_t>(bound)];
}

std::string size_text(const Dim3& size) {
  if (size.z > 1) return fmt::format("{} x {} x {}", size.x, size.y, size.z);
  if (size.y > 1) return fmt::format("{} x {}", size.x, size.y);
  return std::to_string(size.x);
}

/// "  Sampled: 5 471 of 65 537 workgroups, ± 0.1 %", and what is known of the others.
std::string sampling_text(const profile::Sampling& sampling) {
  std::string text = fmt::format("  Sampled: {} of {} workgroups, ± {:.1f} %",
                                 grouped(sampling.simulated_workgroups),
                                 grouped(sampling.workgroups), sampling.uncertainty_percent);
  if (sampling.rest_ratio != 1) {
    text +=
        fmt::format("; the others issue {:.2f} times as many instructions", sampling.rest_ratio);
  }
  return text;
}

/// " at 1207 of 2100 MHz" for a launch that was timed at another clock than the device's highest.
std::string clock_text(const LaunchProfile& launch, const target::Device& device) {
  if (launch.engine_clock_mhz <= 0 || launch.engine_clock_mhz == device.engine_clock_mhz) return "";
  return fmt::format(" at {:g} of {:g} MHz", launch.engine_clock_mhz, device.engine_clock_mhz);
}

std::string headline(const LaunchProfile& launch, const KernelGroup& group, const Verdict& verdict,
                     const target::Device& device, const TextOptions& options) {
  const std::string figures =
      fmt::format("{} cycles   {}", grouped(launch.cycles), duration(verdict.milliseconds));
  const std::size_t room = std::max<std::size_t>(options.columns, 60) - width_of(figures) - 3;
  std::string text =
      bold(left(cut(display_name(launch), room), room), options) + "   " + figures + "\n";
  std::string facts =
      fmt::format("{}{}, grid {} in workgroups of {}",
                  device.marketing_name.empty() ? device.name : device.marketing_name,
                  clock_text(launch, device), size_text(launch.grid_work_items),
                  size_text(launch.workgroup_work_items));
  if (group.count > 1) {
    facts += fmt::format(", {} launches: {} to {} cycles", group.count, grouped(group.least_cycles),
                         grouped(group.most_cycles));
  }
  text += dim("  " + in_words_of(facts, options.terms), options) + "\n";
  if (const std::string average = average_text(launch); !average.empty()) {
    text += dim("  Shown is " + average + "; of each only cycles, times and counters are kept",
                options) +
            "\n";
  }
  if (launch.sampling.sampled) {
    text += dim(in_words_of(sampling_text(launch.sampling), options.terms), options) + "\n";
  }
  return text;
}

/// Joins two pieces on one line if it is wide enough, else the second goes below.
std::string joined(const std::string& first, const std::string& second, std::size_t indent,
                   const TextOptions& options) {
  const std::string text = wrapped(first, options.columns, indent);
  if (second.empty()) return text + "\n";
  const std::size_t used = width_of(text.substr(text.rfind('\n') + 1));
  if (used + 2 + width_of(second) <= options.columns) return text + "  " + second + "\n";
  return text + "\n" + std::string(indent, ' ') + second + "\n";
}

/// What was found, with its place.
std::string finding_line(const profile::Finding& finding, const std::string& gain,
                         const TextOptions& options) {
  return joined("  - " + gain + in_words_of(finding.text, options.terms),
                finding.place.empty() ? "" : "← " + finding.place, 4, options);
}

/// The same with what it gains, if that was asked for, and what to do.
std::string advice_lines(const profile::Finding& finding, const TextOptions& options) {
  std::string gain;
  if (finding.gain_percent) {
    gain = fmt::format("{}{:.0f} %: ", finding.is_estimated ? "about " : "", *finding.gain_percent);
  }
  const std::string remedy = in_words_of(finding.rule->remedy, options.terms);
  return finding_line(finding, gain, options) + wrapped("    " + remedy, options.columns, 4) + "\n";
}

/// Advice on a launch that was timed again, in kMostAdviceLines lines at most.
std::string advice(const Verdict& verdict, const TextOptions& options) {
  constexpr std::ptrdiff_t kMostAdviceLines = 10;
  if (verdict.findings.empty()) {
    return wrapped(
               fmt::format("  Nothing to gain here: no remedy that is known saves {:g} % of the "
                           "time.",
                           profile::kLeastGainPercent),
               options.columns, 2) +
           "\n";
  }
  std::string text;
  for (const profile::Finding& finding : verdict.findings) {
    const std::string more = text + advice_lines(finding, options);
    if (std::ranges::count(more, '\n') > kMostAdviceLines) break;
    text = more;
  }
  return text;
}

std::string answer(const LaunchProfile& launch, const Verdict& verdict,
                   const TextOptions& options) {
  const std::string bound = in_words_of(
      fmt::format("  {}: {}.", text_of(verdict.limit.bound), verdict.limit.what), options.terms);
  const std::string line =
      joined(bound, in_words_of(verdict.limit.because, options.terms), 2, options);
  std::string text = "\n" + bold(bound, options) + line.substr(bound.size());
  if (!launch.what_if.empty()) return text + advice(verdict, options);
  for (const profile::Finding& finding : verdict.findings) {
    if (finding.id == profile::explain_page_of(verdict.limit.bound)) continue;
    text += finding_line(finding, "", options);
  }
  return text;
}

std::string light_section(const Verdict& verdict, const TextOptions& options) {
  if (verdict.speed_of_light.empty()) return "";
  std::string text = "\n  " + bold("Speed of light", options) + "\n";
  std::size_t widest = 0;
  for (const auto& light : verdict.speed_of_light) {
    widest = std::max(widest, width_of(in_words_of(light.name, options.terms)));
  }
  for (const profile::SpeedOfLight& light : verdict.speed_of_light) {
    if (light.percent < 0.5) continue;
    const std::string name = left(in_words_of(light.name, options.terms), widest);
    const std::string drawn = bar(light.percent / 100, kBarColumns);
    text += fmt::format("    {} {:>5.1f} %  {}", name, light.percent,
                        light.detail.empty() ? drawn : left(drawn, kBarColumns + 2));
    text += light.detail + "\n";
  }
  return text;
}

std::string occupancy_line(const Verdict& verdict, const TextOptions& options) {
  // Shares of what a CU has of its own are asked of this time: it is told where they differ.
  constexpr double kNearlyAll = 95;
  const profile::OccupancyVerdict& o = verdict.occupancy;
  std::string text = fmt::format(
      "\n  Occupancy  {:.1f} of {} waves per CU; {} admit{} {}\n", o.achieved_waves_per_cu,
      o.max_waves_per_cu, o.limited_by.empty() ? "resources" : o.limited_by,
      o.limited_by.empty() || o.limited_by.back() == 's' ? "" : "s", o.waves_per_cu);
  if (o.cu_percent > 0 && o.cu_percent < kNearlyAll) {
    text += fmt::format("             A CU has waves {:.0f} % of the time that some run\n",
                        o.cu_percent);
  }
  return in_words_of(std::move(text), options.terms);
}

std::string roofline_lines(const Verdict& verdict, const TextOptions& options) {
  const profile::Roofline& roof = verdict.roofline;
  if (roof.levels.empty() && roof.flop == 0) return "";
  const std::string_view unit = roof.is_integer ? "OP" : "FLOP";
  std::string rate;
  if (roof.flop > 0) {
    rate = fmt::format("{}{}/s of {}{}/s, {}", short_number(roof.flop_per_second), unit,
                       short_number(roof.peak_flop_per_second), unit, roof.peak_name);
  }
  const std::string nearest = in_words_of(roof.nearest_roof, options.terms);
  std::string text = joined(fmt::format("  Roofline   {}: {:.0f} % of the {} roof",
                                        text_of(roof.region), roof.nearest_percent, nearest),
                            rate, 13, options);
  for (const profile::RoofLevel& level : roof.levels) {
    const std::string name = in_words_of(level.name, options.terms);
    const std::string intensity =
        roof.flop > 0 ? fmt::format("{:>8} {}/byte, ", short_number(level.intensity), unit) : "";
    text += fmt::format("             {} {}ridge at {:.3g} {}/byte\n", left(name, 8), intensity,
                        level.ridge, unit);
  }
  return text;
}

std::string hot_section(const LaunchProfile& launch, const Verdict& verdict,
                        const TextOptions& options) {
  if (verdict.hot_lines.empty()) return "";
  std::string text = "\n  " + bold("Hottest lines", options) + "\n";
  std::size_t widest = 0;
  for (const profile::HotLine& line : verdict.hot_lines) {
    widest = std::max(widest, width_of(profile::place_of(launch.instructions[line.instruction])));
  }
  for (const profile::HotLine& line : verdict.hot_lines) {
    const profile::InstructionProfile& worst = launch.instructions[line.instruction];
    std::string row =
        fmt::format("    {}  {:>5.1f} %  {:<30}", left(profile::place_of(worst), widest),
                    line.percent, in_words_of(profile::text_of(line.reason), options.terms));
    const std::size_t used = width_of(row) + 2;
    if (used + 10 < options.columns) row += "  " + cut(worst.text, options.columns - used);
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  const bool named = std::any_of(launch.instructions.begin(), launch.instructions.end(),
                                 [](const auto& instruction) { return instruction.line != 0; });
  if (!named) text += "    compile with -g to see source lines\n";
  return text;
}

std::string next_lines(const LaunchProfile& launch, const Verdict& verdict,
                       const TextOptions& options) {
  std::string text;
  if (!launch.evidence_percent.empty()) {
    std::string evidence;
    for (const char* kind : {"measured", "public", "derived", "fitted", "assumed"}) {
      const auto found = launch.evidence_percent.find(kind);
      if (found == launch.evidence_percent.end() || found->second < 0.5) continue;
      evidence += fmt::format("{}{:.0f} % {}", evidence.empty() ? "" : ", ", found->second, kind);
    }
    text += dim("  The numbers behind the waiting: " + evidence, options) + "\n";
  }
  text += fmt::format("  Next: wavetank explain {}", verdict.limit.page);
  const auto other =
      std::find_if(verdict.findings.begin(), verdict.findings.end(),
                   [&](const profile::Finding& f) { return f.id != verdict.limit.page; });
  if (other != verdict.findings.end()) text += fmt::format(", {}", other->id);
  return "\n" + text + "\n";
}

std::string what_if_section(const std::vector<LaunchProfile>& launches, const KernelGroup& group,
                            const TextOptions& options) {
  const LaunchProfile* const launch = timed_again(launches, group);
  return launch == nullptr ? "" : "\n" + what_if_table(*launch, options);
}

}  // namespace

std::string kernel_head(const std::vector<LaunchProfile>& launches, const KernelGroup& group,
                        const Verdict& verdict, const target::Device& device,
                        const TextOptions& options) {
  return headline(launches[group.shown], group, verdict, device, options) +
         answer(launches[group.shown], verdict, options);
}

std::string kernel_screen(const std::vector<LaunchProfile>& launches, const KernelGroup& group,
                          const Verdict& verdict, const target::Device& device,
                          const TextOptions& options) {
  const LaunchProfile& launch = launches[group.shown];
  return kernel_head(launches, group, verdict, device, options) +
         what_if_section(launches, group, options) + stall_table(launch, verdict, options) +
         hot_section(launch, verdict, options) + light_section(verdict, options) +
         occupancy_line(verdict, options) + roofline_lines(verdict, options) +
         next_lines(launch, verdict, options);
}

std::string summary_table(const std::vector<LaunchProfile>& launches,
                          const std::vector<KernelGroup>& groups, const TextOptions& options) {
  double all = 0;
  std::vector<const KernelGroup*> order;
  const auto seconds = [&](const KernelGroup& g) {
    const double clock = std::max(launches[g.shown].engine_clock_mhz, 1.0);
    return g.mean_cycles * static_cast<double>(g.count) / clock / 1e6;
  };
  for (const KernelGroup& group : groups) {
    order.push_back(&group);
    all += seconds(group);
  }
  std::sort(order.begin(), order.end(), [&](const KernelGroup* a, const KernelGroup* b) {
    return seconds(*a) != seconds(*b) ? seconds(*a) > seconds(*b) : a < b;
  });
  std::string text =
      bold(fmt::format("{:>7}  {:>11}  {:>8}  {}", "time", "mean", "launches", "kernel"), options) +
      "\n";
  for (const KernelGroup* group : order) {
    const double own = seconds(*group);
    const auto count = static_cast<double>(group->count);
    text += fmt::format(
        "{:>5.1f} %  {}  {:>8}  {}\n", all > 0 ? 100 * own / all : 0,
        right(duration(1e3 * own / count), 11), group->count,
        cut(display_name(launches[group->shown]), std::max<std::size_t>(options.columns, 60) - 32));
  }
  return text;
}

}  // namespace wavetank::report
