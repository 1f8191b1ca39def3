// Rules about what all waves of a launch queue for.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "profile/finding_parts.hpp"
#include "profile/finding_rules.hpp"
#include "profile/launch_overhead.hpp"
#include "profile/metrics.hpp"
#include "profile/speed_of_light.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::profile {
namespace {

double unit_percent(const LaunchProfile& launch, std::string_view name) {
  for (const UnitUse& unit : launch.units) {
    if (unit.name == name) return unit.busy_percent;
  }
  return 0;
}

/// Where a wave's lanes touch the most lines, and so the most rows and channels.
std::string place_of_lines(const LaunchProfile& launch) {
  const InstructionProfile* worst =
      most(launch, [](const InstructionProfile& i) { return i.lines_touched; });
  return worst != nullptr ? place_of(*worst) : std::string();
}

/// The access that waves wait for most: those to a channel that many want take longest.
std::string place_of_waits(const LaunchProfile& launch) {
  const InstructionProfile* worst = most(
      launch, [](const InstructionProfile& i) { return is_vector_memory(i) ? cycles_for(i) : 0; });
  return worst != nullptr ? place_of(*worst) : place_of_lines(launch);
}

/// Mean cycles of a wave that pass for a reason.
double mean_wait(const LaunchProfile& l, Reason reason) {
  return static_cast<double>(l.cycles_by_reason[static_cast<std::size_t>(reason)]) /
         static_cast<double>(l.waves);
}

/// Mean cycles in which a wave waits for its arguments, which it does once.
double wait_for_arguments(const FindingInput& in) {
  const double trip = cycles_of(target::known("kernarg.host_latency"), in.launch, in.device) +
                      in.device.value(target::known("hbm.latency"));
  return std::min(mean_wait(in.launch, Reason::kWaitScalarMemory), trip);
}

/// Percent of the time of the run's launches, were all as this one, that they take less as one.
/// What stays of the others is their work: the time of the busiest unit, what a wave does besides
/// loads and stores, and all that passes but for the dispatcher before it, its arguments and the
/// loads and stores at its two ends.
double merging_gain(const FindingInput& in) {
  const LaunchProfile& l = in.launch;
  const auto all = static_cast<double>(l.cycles), run = static_cast<double>(wave_cycles(l));
  if (all == 0 || l.waves == 0) return 0;
  double work = 0;
  for (const UnitUse& unit : l.units) {
    if (unit.name != kDispatcher) work = std::max(work, unit.busy_percent / 100 * all);
  }
  for (const LevelTraffic& level : l.levels) {
    work = std::max(work, busiest_channel_percent(level) / 100 * all);
  }
  const double waited = mean_wait(l, Reason::kWaitVectorMemory), arguments = wait_for_arguments(in);
  const double trips = 2 * in.device.value(target::known("hbm.latency"));
  const double begins = unit_percent(l, kDispatcher) / 100 * all + arguments;
  const double resident = static_cast<double>(resident_cycles(l.cycles_by_reason));
  const double own = resident / static_cast<double>(l.waves) - waited - arguments;
  work = std::max({work, run - begins - std::min(waited, trips), std::min(own, run)});
  // One behind another is not alone.
  const std::uint64_t least = is_queued(l, in.device) ? 2 : 1;
  const auto launches = static_cast<double>(std::max(in.launches.of_all, least));
  return (1 - 1 / launches) * (100 - percent(work, all));
}

double microseconds(const FindingInput& in, std::uint64_t cycles) {
  return static_cast<double>(cycles) / clock_mhz(in.launch, in.device);
}

}  // namespace

Found launch_overhead_found(const FindingInput& in, double threshold) {
  const double weight = launch_shares(in.launch, in.device).around;
  if (weight < threshold || is_queued(in.launch, in.device)) return std::nullopt;
  return estimated({"launch-bound", fmt::format("launch overhead is {:.0f} % of the time", weight),
                    place_of_kernel(in.launch), weight},
                   merging_gain(in));
}

Found launch_queue_found(const FindingInput& in, double threshold) {
  const double weight = launch_shares(in.launch, in.device).around;
  if (weight < threshold || !is_queued(in.launch, in.device)) return std::nullopt;
  const std::uint64_t gap = std::min(in.launch.launch_cycles, in.launch.cycles);
  const double kernel = microseconds(in, in.launch.cycles - gap), before = microseconds(in, gap);
  return estimated(
      {"launch-queue",
       in.launches.of_kernel == 1
           ? fmt::format("a launch of {:.2f} µs, {:.2f} µs behind the one before", kernel, before)
           : fmt::format("{} launches of {:.2f} µs, each {:.2f} µs behind the one before",
                         in.launches.of_kernel, kernel, before),
       place_of_kernel(in.launch), weight},
      merging_gain(in));
}

Found write_back_found(const FindingInput& in, double threshold) {
  const double weight = launch_shares(in.launch, in.device).write_back;
  if (weight < threshold) return std::nullopt;
  return Finding{"write-back",
                 fmt::format("the L2s write back for {:.2f} µs after the last wave",
                             microseconds(in, in.launch.write_back_cycles)),
                 place_of_kernel(in.launch), weight};
}

/// Of what is busiest: without that this is the next limit.
constexpr double kNearLimit = 0.75;

Found dispatcher_found(const FindingInput& in, double threshold) {
  const double weight = unit_percent(in.launch, kDispatcher);
  const auto groups = static_cast<double>(workgroups(in.launch));
  const bool is_near_limit = weight >= kNearLimit * in.busiest_percent;
  if (weight < threshold || groups == 0 || !is_near_limit) return std::nullopt;
  const double cycles =
      weight / 100 * static_cast<double>(in.launch.cycles) * in.device.shader_engines / groups;
  const double waves = static_cast<double>(in.launch.waves) / groups;
  return Finding{
      "dispatcher",
      fmt::format("{:.0f} workgroups of {:.2g} wave{}: a shader engine takes {:.0f} cycles to "
                  "start one",
                  groups, waves, waves == 1 ? "" : "s", cycles),
      place_of_kernel(in.launch), weight};
}

Found translation_found(const FindingInput& in, double threshold) {
  const auto misses = in.launch.counters.find("TCP_UTCL1_TRANSLATION_MISS");
  const MetricValue busy = value_of("SQ_BUSY_CU_CYCLES", in.launch, in.device);
  const InstructionProfile* worst =
      most(in.launch, [](const InstructionProfile& i) { return i.translation_misses; });
  if (misses == in.launch.counters.end() || !busy.value || worst == nullptr || worst->hits == 0) {
    return std::nullopt;
  }
  // The first time that a CU sees a page is nobody's fault.
  const double entries = in.device.value(target::known("translation.entries"));
  if (misses->second.max <= entries) return std::nullopt;
  const double asking = unit_percent(in.launch, kTranslation) *
                        static_cast<double>(in.launch.cycles) * in.device.compute_units;
  const double weight = std::min(100.0, asking / std::max(*busy.value, 1.0));
  if (weight < threshold) return std::nullopt;
  return Finding{"translation",
                 fmt::format("translation: a wave's access walks {:.2g} new pages, a CU keeps "
                             "{:.0f}",
                             worst->translation_misses / worst->hits, entries),
                 place_of(*worst), weight};
}

Found dram_rows_found(const FindingInput& in, double threshold) {
  for (const LevelTraffic& level : in.launch.levels) {
    const RowUse& rows = level.rows;
    // Streams open rows for a part of them, too: where the bus is the limit it does not matter.
    if (rows.opened == 0 || rows.busy_percent < threshold || !banks_limit(level)) continue;
    const double bytes = (level.bytes_read + level.bytes_written) / rows.opened;
    return Finding{"dram-rows",
                   fmt::format("DRAM banks open a row of {:.0f} bytes for {:.0f} bytes of it",
                               rows.row_bytes, bytes),
                   place_of_lines(in.launch), rows.busy_percent};
  }
  return std::nullopt;
}

Found channels_found(const FindingInput& in, double threshold) {
  const LevelTraffic* worst = nullptr;
  double weight = 0;
  for (const LevelTraffic& level : in.launch.levels) {
    const double more = busiest_channel_percent(level) - level.busy_percent;
    if (!is_uneven(level) || more < std::max(weight, threshold)) continue;
    worst = &level;
    weight = more;
  }
  if (worst == nullptr) return std::nullopt;
  const ChannelLoad& load = worst->channels;
  const bool one = load.crowded == 1;
  Finding finding{
      "channels",
      is_uneven_in_sum(*worst)
          ? fmt::format("{} do{} {:.0f} % of the work", crowded_channels(*worst), one ? "es" : "",
                        load.crowded_percent)
          : fmt::format("{} do the work, one after the other", crowded_channels(*worst)),
      place_of_waits(in.launch), weight};
  std::ranges::transform(worst->name, std::back_inserter(finding.change),
                         [](unsigned char letter) { return std::tolower(letter); });
  finding.change += ".bandwidth=unlimited";
  return finding;
}

}  // namespace wavetank::profile
