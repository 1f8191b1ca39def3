#include "profile/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "target/occupancy.hpp"

namespace wavetank::profile {
namespace {

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

double reason_percent(const LaunchProfile& launch, std::initializer_list<Reason> reasons) {
  double sum = 0;
  for (const Reason r : reasons) {
    sum += static_cast<double>(launch.cycles_by_reason[static_cast<std::size_t>(r)]);
  }
  return percent(sum, static_cast<double>(resident_cycles(launch.cycles_by_reason)));
}

/// Units that carry data rather than calculate.
bool is_memory_unit(std::string_view name) {
  return name == "LDS" || name == "vector memory" || name == "scalar memory";
}

std::vector<SpeedOfLight> speed_of_light(const LaunchProfile& launch, const Roofline& roof) {
  std::vector<SpeedOfLight> all;
  for (const UnitUse& unit : launch.units) {
    const bool is_level = std::any_of(launch.levels.begin(), launch.levels.end(),
                                      [&](const LevelTraffic& l) { return l.name == unit.name; });
    if (is_level) continue;
    all.push_back({unit.name, unit.busy_percent, is_memory_unit(unit.name), ""});
  }
  for (const LevelTraffic& level : launch.levels) {
    SpeedOfLight light{level.name, level.busy_percent, true, ""};
    for (const RoofLevel& l : roof.levels) {
      if (l.name != level.name) continue;
      light.detail = fmt::format("{:.0f} of {:.0f} GB/s", l.bytes_per_second / 1e9,
                                 l.peak_bytes_per_second / 1e9);
      light.percent = std::max(light.percent, l.percent_of_peak);
    }
    all.push_back(std::move(light));
  }
  std::sort(all.begin(), all.end(), [](const SpeedOfLight& a, const SpeedOfLight& b) {
    return a.percent != b.percent ? a.percent > b.percent : a.name < b.name;
  });
  return all;
}

/// Whole workgroups per CU by the kernel's resources, where the device's rules can say it.
OccupancyVerdict occupancy_of(const LaunchProfile& launch, const target::Device& device) {
  const OccupancyProfile& o = launch.occupancy;
  OccupancyVerdict verdict;
  verdict.max_waves_per_cu = device.wave_slots_per_simd * device.simds_per_cu;
  verdict.waves_per_cu =
      std::min(o.waves_per_simd_limit, device.wave_slots_per_simd) * device.simds_per_cu;
  verdict.limited_by = o.limited_by;
  verdict.achieved_waves_per_cu = o.achieved_waves_per_cu;
  target::Resources resources;
  resources.arch_vgprs = launch.vgprs;
  resources.acc_vgprs = launch.agprs;
  resources.sgprs = launch.sgprs;
  resources.lds_bytes = launch.lds_bytes;
  resources.workgroup_work_items = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(launch.workgroup_work_items.count(), 1024));
  if (const auto whole = target::occupancy(device, resources)) {
    verdict.waves_per_cu = std::min(verdict.waves_per_cu, whole->waves_per_cu);
  }
  return verdict;
}

/// A level that is busy while it moves less than half of what it could spends its time on requests
/// for a few bytes each.
std::string memory_what(const LaunchProfile& launch, const SpeedOfLight& limit) {
  if (limit.name == "vector memory") return "the vector memory unit";
  for (const LevelTraffic& level : launch.levels) {
    if (level.name != limit.name) continue;
    const double moved = level.bytes_read + level.bytes_written;
    const double possible = level.peak_bytes_per_cycle * static_cast<double>(launch.cycles);
    if (100 * moved < 0.5 * limit.percent * possible) {
      return fmt::format("the {}'s request rate", limit.name);
    }
  }
  return fmt::format("{} bandwidth", limit.name);
}

/// What most waits are for, in words.
std::string latency_what(const LaunchProfile& launch) {
  constexpr std::array<std::pair<Reason, std::string_view>, 8> kWaits = {{
      {Reason::kWaitVectorMemory, "the latency of vector memory"},
      {Reason::kWaitLds, "the latency of the LDS"},
      {Reason::kWaitScalarMemory, "the latency of scalar memory"},
      {Reason::kWaitValu, "dependent vector instructions"},
      {Reason::kWaitMatrix, "dependent matrix instructions"},
      {Reason::kWaitFetch, "instruction fetch"},
      {Reason::kMemoryQueueFull, "the queue of the vector memory unit"},
      {Reason::kLdsQueueFull, "the queue of the LDS"},
  }};
  const auto worst = std::max_element(kWaits.begin(), kWaits.end(), [&](auto a, auto b) {
    return launch.cycles_by_reason[static_cast<std::size_t>(a.first)] <
           launch.cycles_by_reason[static_cast<std::size_t>(b.first)];
  });
  if (launch.cycles_by_reason[static_cast<std::size_t>(worst->first)] == 0) {
    return "too few instructions in flight";
  }
  return std::string(worst->second);
}

void set_bound(Verdict& v, Bound bound, std::string what, std::string because) {
  v.bound = bound;
  v.what = std::move(what);
  v.because = std::move(because);
}

/// What bounds a launch whose busiest item is memory: the farthest level that is about as busy,
/// because what waits for it keeps the nearer ones busy, too.
const SpeedOfLight& bounding(const Verdict& v, const LaunchProfile& launch) {
  const SpeedOfLight& busiest = v.speed_of_light.front();
  if (!busiest.is_memory) return busiest;
  const double least = std::max(kBusyPercent, kAboutAsBusy * busiest.percent);
  for (auto level = launch.levels.rbegin(); level != launch.levels.rend(); ++level) {
    for (const SpeedOfLight& light : v.speed_of_light) {
      if (light.name == level->name && light.percent >= least) return light;
    }
  }
  return busiest;
}

/// The decision, in the order of the limits of verdict.hpp.
void decide(Verdict& v, const LaunchProfile& launch, const FindingInput& input) {
  const SpeedOfLight* busiest = v.speed_of_light.empty() ? nullptr : &v.speed_of_light.front();
  const double overhead = launch_overhead_percent(launch, input.device);
  const double sync = reason_percent(launch, {Reason::kWaitBarrier, Reason::kWaitFence});
  const auto tail = std::find_if(v.findings.begin(), v.findings.end(),
                                 [](const Finding& f) { return f.id == "tail-effect"; });
  if (overhead >= kLaunchPercent) {
    return set_bound(
        v, Bound::kLaunch, "launch overhead",
        fmt::format("Before the first and after the last wave pass {:.0f} % of the time.",
                    overhead));
  }
  if (busiest != nullptr && input.busiest_percent >= kBusyPercent) {
    const SpeedOfLight& limit = bounding(v, launch);
    std::string what = limit.is_memory ? memory_what(launch, limit) : "the " + limit.name;
    return set_bound(v, limit.is_memory ? Bound::kMemory : Bound::kCompute, std::move(what),
                     fmt::format("It is busy {:.0f} % of the time.", limit.percent));
  }
  if (tail != v.findings.end() && tail->weight >= kTailPercent) {
    return set_bound(
        v, Bound::kLaunch, "the tail of the grid",
        fmt::format("For {:.0f} % of the time nothing is left to start.", tail->weight));
  }
  if (sync >= kSyncPercent) {
    const bool barrier = reason_percent(launch, {Reason::kWaitBarrier}) >= sync / 2;
    return set_bound(v, Bound::kSynchronisation, barrier ? "barriers" : "memory fences",
                     fmt::format("Waves spend {:.0f} % of their cycles there.", sync));
  }
  set_bound(v, Bound::kLatency, latency_what(launch),
            busiest == nullptr ? "No unit is busy."
                               : fmt::format("The busiest unit, {}, works {:.0f} % of the time.",
                                             busiest->name, busiest->percent));
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

Verdict judge(const LaunchProfile& launch, const target::Device& device) {
  Verdict verdict;
  const double clock_hz =
      1e6 * (launch.engine_clock_mhz > 0 ? launch.engine_clock_mhz : device.engine_clock_mhz);
  verdict.milliseconds = 1e3 * static_cast<double>(launch.cycles) / clock_hz;
  verdict.roofline = roofline(launch, device);
  verdict.speed_of_light = speed_of_light(launch, verdict.roofline);
  verdict.occupancy = occupancy_of(launch, device);
  verdict.stack = stall_stack(launch.cycles_by_reason);
  verdict.hot_lines = hot_lines(launch);
  FindingInput input{launch, device, 0, verdict.occupancy.waves_per_cu,
                     verdict.occupancy.max_waves_per_cu};
  if (!verdict.speed_of_light.empty()) input.busiest_percent = verdict.speed_of_light[0].percent;
  verdict.findings = find(input);
  decide(verdict, launch, input);
  return verdict;
}

}  // namespace wavetank::profile
