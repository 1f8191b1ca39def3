#include "profile/speed_of_light.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "profile/launch_overhead.hpp"

namespace wavetank::profile {
namespace {

/// What a launch is that a unit limits. Some carry data rather than calculate.
Bound bound_of_unit(std::string_view name) {
  if (name == kDispatcher) return Bound::kLaunch;
  const bool memory = name == kLds || name == kLdsBus || name == kVectorMemory ||
                      name == "scalar memory" || name == kTranslation || name == kFabric;
  return memory ? Bound::kMemory : Bound::kCompute;
}

/// What a level is divided into.
std::string_view part_of(const LevelTraffic& level) {
  return level.name == kMallLevel ? "slice" : "channel";
}

const LevelTraffic* level_of(const LaunchProfile& launch, std::string_view name) {
  const auto found = std::find_if(launch.levels.begin(), launch.levels.end(),
                                  [&](const LevelTraffic& level) { return level.name == name; });
  return found == launch.levels.end() ? nullptr : &*found;
}

SpeedOfLight light_of(const LevelTraffic& level, const Roofline& roof) {
  SpeedOfLight light{level.name, level.busy_percent, Bound::kMemory, "", level.name};
  for (const RoofLevel& l : roof.levels) {
    if (l.name != level.name) continue;
    light.detail = fmt::format("{:.0f} of {:.0f} GB/s", l.bytes_per_second / 1e9,
                               l.peak_bytes_per_second / 1e9);
  }
  return light;
}

/// A level that is busy while it moves less than half of what it could spends its time on requests
/// for a few bytes each.
std::string traffic_of(const LaunchProfile& launch, const LevelTraffic& level, double percent) {
  const double moved = level.bytes_read + level.bytes_written;
  const double possible = level.peak_bytes_per_cycle * static_cast<double>(launch.cycles);
  const bool few_bytes = 100 * moved < 0.5 * percent * possible;
  if (!few_bytes) return fmt::format("{} bandwidth", level.name);
  // Its banks serve lanes one after the other where they conflict or add to one word.
  return level.name == kLds ? "the banks of the LDS"
                            : fmt::format("the {}'s request rate", level.name);
}

/// Of the time that waves run, from a share of the whole launch.
double of_wave_time(const LaunchProfile& launch, double percent_of_all) {
  const double waves = static_cast<double>(wave_cycles(launch));
  if (waves == 0) return 0;
  return std::min(100.0, percent_of_all * static_cast<double>(launch.cycles) / waves);
}

/// True for what each CU has of its own, where CUs without waves are not what limits.
bool is_asked_of_its_cu(const LaunchProfile& launch, const SpeedOfLight& light) {
  const bool shared = light.level.empty() ? light.name == kDispatcher || light.name == kFabric
                                          : light.level != kLds && light.level != kVectorL1;
  return !shared && launch.occupancy.cu_percent > kCusAtWorkPercent;
}

/// Of the time in which it could work.
double share_of(const LaunchProfile& launch, const SpeedOfLight& light) {
  const double share = of_wave_time(launch, light.percent);
  if (!is_asked_of_its_cu(launch, light)) return share;
  return std::min(100.0, 100 * share / launch.occupancy.cu_percent);
}

std::string share_in_words(const LaunchProfile& launch, const SpeedOfLight& light) {
  return fmt::format("It is busy {:.0f} % of the time that {}.", share_of(launch, light),
                     is_asked_of_its_cu(launch, light) ? "its CU has waves" : "waves run");
}

Limit limit_of_level(const LaunchProfile& launch, const SpeedOfLight& light) {
  const LevelTraffic& level = *level_of(launch, light.level);
  const auto share = [&](double percent) { return of_wave_time(launch, percent); };
  if (light.name != level.name) {
    return {Bound::kMemory, crowded_channels(level),
            fmt::format("While waves run the busiest works {:.0f} % of the time, the average one "
                        "{:.0f} %.",
                        share(light.percent), share(level.busy_percent)),
            "channels", level.name};
  }
  if (banks_limit(level)) {
    return {Bound::kMemory, std::string(kBanks),
            fmt::format("While waves run they open rows {:.0f} % of the time, the bus works "
                        "{:.0f} %.",
                        share(level.rows.busy_percent), share(level.rows.bus_percent)),
            "dram-rows", std::string(kBanks)};
  }
  return {Bound::kMemory, traffic_of(launch, level, light.percent), share_in_words(launch, light),
          explain_page_of(Bound::kMemory), level.name};
}

Limit limit_of_unit(const LaunchProfile& launch, const SpeedOfLight& light) {
  Limit limit{light.bound, "the " + light.name, share_in_words(launch, light),
              explain_page_of(light.bound), light.name};
  if (light.name == kDispatcher) {
    limit.what = "the dispatcher's rate";
    limit.page = "dispatcher";
  } else if (light.name == kTranslation) {
    limit.what = "address translation";
    limit.page = "translation";
  } else if (light.name == kVectorMemory || light.name == kScalar || light.name == kBranch) {
    limit.what += " unit";
  } else if (light.name == kLdsBus) {
    limit.what = "the buses of the LDS";
  }
  return limit;
}

}  // namespace

std::string_view explain_page_of(Bound bound) {
  switch (bound) {
    case Bound::kCompute: return "compute-bound";
    case Bound::kMemory: return "memory-bound";
    case Bound::kSynchronisation: return "synchronisation-bound";
    case Bound::kLaunch: return "launch-bound";
    case Bound::kLatency: break;
  }
  return "latency-bound";
}

double busiest_channel_percent(const LevelTraffic& level) {
  return std::max(level.channels.busiest_percent, level.channels.moment_percent);
}

bool is_uneven(const LevelTraffic& level) {
  return busiest_channel_percent(level) - level.busy_percent >= kUnevenPercent;
}

bool is_uneven_in_sum(const LevelTraffic& level) {
  return level.channels.busiest_percent - level.busy_percent >= kUnevenPercent;
}

bool banks_limit(const LevelTraffic& level) {
  return level.rows.busy_percent > level.rows.bus_percent;
}

std::string crowded_channels(const LevelTraffic& level) {
  const ChannelLoad& load = level.channels;
  if (is_uneven_in_sum(level)) {
    return fmt::format("{:.0f} of {:.0f} {} {}s", load.crowded, load.channels, level.name,
                       part_of(level));
  }
  const double at_work = load.channels * level.busy_percent / busiest_channel_percent(level);
  return fmt::format("{:.0f} of {:.0f} {} {}s at a time", std::max(at_work, 1.0), load.channels,
                     level.name, part_of(level));
}

std::vector<SpeedOfLight> speed_of_light(const LaunchProfile& launch, const Roofline& roof) {
  std::vector<SpeedOfLight> all;
  for (const UnitUse& unit : launch.units) {
    if (level_of(launch, unit.name) != nullptr) continue;  // told once, with what it moves
    all.push_back({unit.name, unit.busy_percent, bound_of_unit(unit.name), "", ""});
  }
  for (const LevelTraffic& level : launch.levels) {
    all.push_back(light_of(level, roof));
    if (!is_uneven(level)) continue;
    all.push_back({fmt::format("one {} {}", level.name, part_of(level)),
                   busiest_channel_percent(level), Bound::kMemory, "", level.name});
  }
  std::sort(all.begin(), all.end(), [](const SpeedOfLight& a, const SpeedOfLight& b) {
    return a.percent != b.percent ? a.percent > b.percent : a.name < b.name;
  });
  return all;
}

std::optional<Limit> busy_limit(const LaunchProfile& launch,
                                const std::vector<SpeedOfLight>& lights) {
  const auto share = [&](const SpeedOfLight& light) { return share_of(launch, light); };
  const auto busiest = std::ranges::max_element(lights, {}, share);
  if (busiest == lights.end() || share(*busiest) < kBusyPercent) return std::nullopt;
  const SpeedOfLight* limit = &*busiest;
  if (limit->bound == Bound::kMemory) {
    const double least = std::max(kBusyPercent, kAsBusy * share(*limit));
    const auto explains = [&](const LevelTraffic& level) {
      return std::ranges::find_if(lights, [&](const SpeedOfLight& light) {
        return light.level == level.name && share(light) >= least;
      });
    };
    for (auto level = launch.levels.rbegin(); level != launch.levels.rend(); ++level) {
      const auto light = explains(*level);
      if (light == lights.end()) continue;
      limit = &*light;
      break;
    }
  }
  return limit->level.empty() ? limit_of_unit(launch, *limit) : limit_of_level(launch, *limit);
}

}  // namespace wavetank::profile
