#include "report/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile/metrics.hpp"
#include "profile/verdict.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;
using profile::Reason;

}  // namespace

std::vector<Change> changes_by_reason(const LaunchProfile& before, const LaunchProfile& after) {
  std::vector<Change> changes;
  const auto mean = [](const LaunchProfile& launch, std::size_t reason) {
    return static_cast<double>(launch.cycles_by_reason[reason]) /
           static_cast<double>(std::max<std::uint64_t>(launch.wave_slots, 1));
  };
  for (std::size_t r = 0; r < profile::kReasonCount; ++r) {
    changes.push_back({std::string(profile::text_of(static_cast<Reason>(r))), "cycles",
                       mean(before, r), mean(after, r)});
  }
  changes.push_back({"launch overhead", "cycles", static_cast<double>(before.launch_cycles),
                     static_cast<double>(after.launch_cycles)});
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    const double left_size = std::abs(a.difference());
    const double right_size = std::abs(b.difference());
    return left_size != right_size ? left_size > right_size : a.name < b.name;
  });
  return changes;
}

namespace {

std::string signed_text(double cycles) {
  const long long whole = std::llround(cycles);
  return (whole < 0 ? "-" : "+") + grouped(static_cast<std::uint64_t>(std::abs(whole)));
}

std::string reason_rows(const LaunchProfile& before, const LaunchProfile& after,
                        const TextOptions& options) {
  constexpr std::size_t kRows = 6;
  std::vector<Change> changes = changes_by_reason(before, after);
  Change rest{"everything else", "cycles", 0, 0};
  while (changes.size() > kRows ||
         (!changes.empty() && std::abs(changes.back().difference()) < 1)) {
    rest.before += changes.back().before;
    rest.after += changes.back().after;
    changes.pop_back();
  }
  if (std::max(rest.before, rest.after) >= 0.5) changes.push_back(rest);
  std::string text;
  for (const Change& change : changes) {
    text += fmt::format("  {} {} → {} {}\n", left(in_words_of(change.name, options.terms), 34),
                        right(grouped(static_cast<std::uint64_t>(std::llround(change.before))), 11),
                        left(grouped(static_cast<std::uint64_t>(std::llround(change.after))), 11),
                        right(signed_text(change.difference()), 12));
  }
  return text;
}

/// What explains a change, in the order of a reader's questions.
constexpr std::string_view kMetrics[] = {"SQ_INSTS",
                                         "SQ_INSTS_VALU",
                                         "SQ_INSTS_LDS",
                                         "TCP_TOTAL_CACHE_ACCESSES",
                                         "TCP_UTCL1_TRANSLATION_MISS",
                                         "TCP_TCC_READ_REQ",
                                         "TCP_TCC_WRITE_REQ",
                                         "L2CacheHit",
                                         "FETCH_SIZE",
                                         "WRITE_SIZE",
                                         "LdsBankConflict",
                                         "SQ_LDS_BANK_CONFLICT",
                                         "VALUUtilization",
                                         "MeanOccupancyPerCU",
                                         "VmemLatency",
                                         "LdsLatency"};

}  // namespace

std::vector<Change> changed_metrics(const LaunchProfile& before, const LaunchProfile& after,
                                    const target::Device& before_device,
                                    const target::Device& after_device) {
  std::vector<Change> changes;
  for (const std::string_view name : kMetrics) {
    const auto a = profile::value_of(name, before, before_device).value;
    const auto b = profile::value_of(name, after, after_device).value;
    if (!a || !b) continue;
    const double larger = std::max(std::abs(*a), std::abs(*b));
    if (larger == 0 || std::abs(*b - *a) < 0.05 * larger) continue;
    const profile::Metric* metric = profile::find_metric(name);
    changes.push_back({std::string(name),
                       std::string(metric != nullptr ? metric->unit : std::string_view("count")),
                       *a, *b});
  }
  return changes;
}

namespace {

std::string metric_rows(const std::vector<Change>& changes) {
  std::string text;
  for (const Change& c : changes) {
    const std::string ratio = c.before == 0 || c.after == 0 ? ""
                              : c.after > c.before ? fmt::format("× {:.2f}", c.after / c.before)
                                                   : fmt::format("÷ {:.2f}", c.before / c.after);
    text += fmt::format("  {} {} → {} {} {}\n", left(c.name, 34), right(short_number(c.before), 11),
                        left(short_number(c.after), 11), right(ratio, 12), c.unit);
  }
  return text;
}

/// What bounded the kernel, and what bounds it now.
std::string limit_line(const profile::Limit& before, const profile::Limit& after,
                       const TextOptions& options) {
  const std::string now = before.what == after.what ? ", as before" : " → " + after.what;
  return wrapped(in_words_of("  bound by " + before.what + now, options.terms), options.columns,
                 4) +
         "\n";
}

}  // namespace

std::vector<KernelPair> pair_kernels(const std::vector<LaunchProfile>& before,
                                     const std::vector<KernelGroup>& before_groups,
                                     const std::vector<LaunchProfile>& after,
                                     const std::vector<KernelGroup>& after_groups) {
  std::vector<KernelPair> pairs;
  std::vector<bool> taken(after_groups.size());
  std::vector<std::size_t> left_over;
  for (std::size_t b = 0; b < before_groups.size(); ++b) {
    std::size_t found = after_groups.size();
    for (std::size_t a = 0; a < after_groups.size() && found == after_groups.size(); ++a) {
      const bool same =
          before[before_groups[b].shown].mangled_name == after[after_groups[a].shown].mangled_name;
      if (same && !taken[a]) found = a;
    }
    if (found == after_groups.size()) {
      left_over.push_back(b);
    } else {
      taken[found] = true;
      pairs.push_back({b, found});
    }
  }
  for (std::size_t a = 0, next = 0; a < after_groups.size() && next < left_over.size(); ++a) {
    if (!taken[a]) pairs.push_back({left_over[next++], a});
  }
  return pairs;
}

std::string kernel_diff(const LaunchProfile& before, const LaunchProfile& after,
                        const target::Device& before_device, const target::Device& after_device,
                        const TextOptions& options) {
  const double clock_before = std::max(before.engine_clock_mhz, 1.0);
  const double clock_after = std::max(after.engine_clock_mhz, 1.0);
  const double ms_before = static_cast<double>(before.cycles) / clock_before / 1e3;
  const double ms_after = static_cast<double>(after.cycles) / clock_after / 1e3;
  const double ratio = ms_after > 0 ? ms_before / ms_after : 1;
  const double change = 100 * std::abs(ms_after - ms_before) / std::max(ms_before, 1e-12);
  const double doubt = before.sampling.uncertainty_percent + after.sampling.uncertainty_percent;
  std::string name = display_name(before);
  if (display_name(after) != name) name += " → " + display_name(after);
  std::string text = bold(cut(name, options.columns), options) + "\n";
  text += fmt::format("  {} → {} cycles   {} → {}   ", grouped(before.cycles),
                      grouped(after.cycles), duration(ms_before), duration(ms_after));
  text +=
      ratio >= 1 ? fmt::format("{:.2f}× faster", ratio) : fmt::format("{:.2f}× slower", 1 / ratio);
  if (before.sampling.sampled || after.sampling.sampled) {
    text += change > doubt ? "" : ", within the uncertainty";
  }
  text += "\n";
  for (const auto& [when, launch] : {std::pair("before", &before), std::pair("after", &after)}) {
    const std::string average = average_text(*launch);
    if (!average.empty()) text += fmt::format("  {} is {}\n", when, average);
  }
  if (before.device != after.device)
    text += fmt::format("  {} → {}\n", before.device, after.device);
  text += limit_line(profile::judge(before, before_device).limit,
                     profile::judge(after, after_device).limit, options);
  text += "\n" + bold(in_words_of("  Cycles of the average wave slot", options.terms), options) +
          "\n" + reason_rows(before, after, options);
  const std::string metrics =
      metric_rows(changed_metrics(before, after, before_device, after_device));
  if (!metrics.empty()) {
    text += "\n" + bold("  Counters that changed by 5 % or more", options) + "\n" + metrics;
  }
  return text;
}

}  // namespace wavetank::report
