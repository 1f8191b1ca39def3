// Rules about a launch's shape, and about waits of its waves for each other and for instructions.
#include <fmt/format.h>

#include "profile/finding_parts.hpp"
#include "profile/finding_rules.hpp"
#include "profile/launch_overhead.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::profile {
namespace {

/// A rule that is the share of one reason in the resident cycles.
template <Reason kReason>
Found reason_share(const FindingInput& in, double threshold, std::string_view id,
                   std::string_view text) {
  const double weight = share_of_resident(in, kReason);
  if (weight < threshold) return std::nullopt;
  return Finding{id, fmt::format("{}: {:.0f} % of the waves' cycles", text, weight),
                 place_of_reason(in.launch, kReason), weight};
}

/// Waves of the kernel that the device holds at once.
std::uint64_t wave_slots_that_fit(const FindingInput& in) {
  return std::uint64_t{in.launch.occupancy.waves_per_simd_limit} * in.device.simds_per_cu *
         in.device.compute_units;
}

/// What filling the CUs better gains at most: what is busiest has as much to do as before.
double filling_gain(const FindingInput& in, double gain_percent) {
  return std::clamp(gain_percent, 0.0,
                    std::max(100 * running_share(in.launch) - in.busiest_percent, 0.0));
}

/// What of the time that waves run would be saved if `slots` that they fill until the tail begins
/// were filled to the end, in percent. Where they are not full before, what drains in the tail is
/// taken to end evenly.
double tail_gain(const LaunchProfile& l, double slots) {
  constexpr double kFull = 0.9;
  const auto all = static_cast<double>(wave_cycles(l)), tail = static_cast<double>(l.tail_cycles);
  const auto resident = static_cast<double>(resident_cycles(l.cycles_by_reason));
  if (resident < kFull * slots * (all - tail)) return percent(tail / 2, all);
  return std::clamp(100 - percent(resident, slots * all), 0.0, percent(tail, all));
}

/// What a wave takes at least, in percent of the launch's time, where `fewer` percent of the waves
/// are not there to be served instead of it.
double lone_wave_percent(const FindingInput& in, double fewer) {
  const LaunchProfile& l = in.launch;
  const auto of = [&](std::uint64_t cycles) {
    return percent(static_cast<double>(cycles),
                   static_cast<double>(l.waves) * static_cast<double>(l.cycles));
  };
  return of(resident_cycles(l.cycles_by_reason)) -
         fewer / 100 * of(l.cycles_by_reason[static_cast<std::size_t>(Reason::kNotPicked)]);
}

/// True for what makes caches write back, or forget.
bool is_fence(const InstructionProfile& i) {
  return action_of(i) == isa::MemoryAction::kCacheControl;
}

/// True for units whose work fusion saves, in part at least: those that access memory or launch.
bool is_spared_by_fusion(std::string_view unit) {
  return unit == kVectorMemory || unit == kTranslation || unit == kFabric || unit == kDispatcher;
}

double requests_of(const LaunchProfile& launch, std::string_view level,
                   double LevelTraffic::* kind) {
  for (const LevelTraffic& one : launch.levels) {
    if (one.name == level) return one.*kind;
  }
  return 0;
}

}  // namespace

Found occupancy_found(const FindingInput& in, double threshold) {
  const OccupancyProfile& o = in.launch.occupancy;
  if (in.waves_per_cu == 0 || in.busiest_percent >= 80) return std::nullopt;
  const double empty = 100.0 - percent(in.waves_per_cu, in.max_waves_per_cu);
  if (empty < threshold) return std::nullopt;
  std::string needs =
      fmt::format("{} work-items a workgroup", in.launch.workgroup_work_items.count());
  if (o.limited_by == "LDS") needs = fmt::format("{} bytes a workgroup", in.launch.lds_bytes);
  if (o.limited_by == "SGPRs") needs = fmt::format("{} a wave", in.launch.sgprs);
  if (o.limited_by == "VGPRs") {
    needs = fmt::format("{} and {} AccVGPRs a lane", in.launch.vgprs, in.launch.agprs);
  }
  return Finding{"occupancy",
                 fmt::format("occupancy: at most {} of {} waves fit on a CU, limited by {} ({})",
                             in.waves_per_cu, in.max_waves_per_cu, o.limited_by, needs),
                 place_of_kernel(in.launch), empty};
}

Found small_grid_found(const FindingInput& in, double threshold) {
  const std::uint64_t groups = workgroups(in.launch);
  const double idle = 100 - percent(static_cast<double>(groups), in.device.compute_units);
  if (groups >= in.device.compute_units || idle < threshold) return std::nullopt;
  // As many CUs as there are would take that part of the time of the waves.
  const double gain = idle * running_share(in.launch);
  return estimated({"small-grid",
                    fmt::format("{} workgroup{} for {} CUs", groups, groups == 1 ? "" : "s",
                                in.device.compute_units),
                    place_of_kernel(in.launch), idle},
                   filling_gain(in, gain));
}

Found tail_effect_found(const FindingInput& in, double threshold) {
  const LaunchProfile& l = in.launch;
  const std::uint64_t slots = wave_slots_that_fit(in);
  const double weight =
      percent(static_cast<double>(l.tail_cycles), static_cast<double>(wave_cycles(l)));
  // A grid that fits the device at once has no last round.
  if (l.waves <= slots || weight < threshold) return std::nullopt;
  const double gain = tail_gain(l, static_cast<double>(slots)) * running_share(l);
  return estimated(
      {"tail-effect",
       fmt::format("the last workgroups leave slots free for {:.0f} % of the time", weight),
       place_of_kernel(l), weight},
      filling_gain(in, gain));
}

Found workgroup_shape_found(const FindingInput& in, double threshold) {
  const std::uint64_t items = in.launch.workgroup_work_items.count();
  const std::uint64_t lanes = (items + 63) / 64 * 64;
  const double weight = 100 - percent(static_cast<double>(items), static_cast<double>(lanes));
  if (items == 0 || weight < threshold) return std::nullopt;
  // Full waves would be fewer by as much: what works for waves has as much less to do.
  const double run = 100 * running_share(in.launch);
  const bool at_once = in.launch.waves <= wave_slots_that_fit(in);
  const double gain = weight / 100 * (at_once ? std::min(in.busiest_percent, run) : run);
  return estimated({"workgroup-shape",
                    fmt::format("a workgroup of {} work-item{} fills {} of {} lanes", items,
                                items == 1 ? "" : "s", items, lanes),
                    place_of_kernel(in.launch), weight},
                   at_once ? std::min(gain, run - lone_wave_percent(in, weight)) : gain);
}

Found barrier_found(const FindingInput& in, double threshold) {
  return reason_share<Reason::kWaitBarrier>(in, threshold, "wait-barrier", "waiting at barriers");
}
Found fence_found(const FindingInput& in, double threshold) {
  double loads = 0, fences = 0;
  for (const InstructionProfile& i : in.launch.instructions) {
    if (is_vector_memory(i) && action_of(i) == isa::MemoryAction::kLoad) loads += i.hits;
    if (is_fence(i)) fences += i.hits;
  }
  // What waves wait for is less at the fence than at the loads behind it, which find nothing.
  const double share = share_of_resident(in, Reason::kWaitFence);
  const double weight = std::max(share, std::min(percent(fences, loads), 100.0));
  const InstructionProfile* fence =
      most(in.launch, [](const InstructionProfile& i) { return is_fence(i) ? i.hits : 0; });
  if (weight < threshold || fence == nullptr) return std::nullopt;
  return Finding{"wait-fence",
                 fmt::format("fences write back or invalidate caches: one for {:.2g} loads, {:.0f} "
                             "% of the waves' cycles",
                             loads / fences, share),
                 place_of(*fence), weight};
}
Found fetch_found(const FindingInput& in, double threshold) {
  // Little code comes into the cache soon, which less of it does not change.
  constexpr double kMuch = 0.25;
  double bytes = 0;
  for (std::size_t at = 1; at < in.launch.instructions.size(); ++at) {
    const InstructionProfile &one = in.launch.instructions[at - 1],
                             &next = in.launch.instructions[at];
    constexpr std::uint64_t kLongest = 8;
    const std::uint64_t length = next.offset - one.offset;
    if (one.hits > 0) bytes += static_cast<double>(std::min(length, kLongest));
  }
  const double cache = in.device.value(target::known("cache.l1_instruction"));
  if (bytes < kMuch * cache) return std::nullopt;
  return reason_share<Reason::kWaitFetch>(in, threshold, "wait-fetch", "waiting for instructions");
}

Found fusion_found(const FindingInput& in, double threshold) {
  // Small launches are one thing to say.
  const LaunchShares shares = launch_shares(in.launch, in.device);
  if (shares.around >= (is_queued(in.launch, in.device) ? kQueuePercent : kAroundPercent)) {
    return std::nullopt;
  }
  const auto known = [](const InstructionProfile& i) {
    return i.hits > 0 ? i.lines_touched * i.known_before / i.hits : 0;
  };
  double all = 0, again = 0;
  for (const InstructionProfile& i : in.launch.instructions) {
    all += i.lines_touched;
    again += known(i);
  }
  const InstructionProfile* worst = most(in.launch, known);
  const double weight = percent(again, all);
  if (worst == nullptr || weight < threshold) return std::nullopt;
  // What the other units do stays, and the other accesses.
  double stays = (100 - weight) * running_share(in.launch);
  for (const UnitUse& unit : in.launch.units) {
    if (!is_spared_by_fusion(unit.name)) stays = std::max(stays, unit.busy_percent);
  }
  const auto launches = static_cast<double>(std::max<std::uint64_t>(in.launches.of_all, 2));
  return estimated(
      {"fusion",
       fmt::format("{:.0f} % of the cache lines that it touches are of elements that the "
                   "same work-items had in the launch before: {}{}",
                   weight, kind_of(*worst), array_of(*worst)),
       place_of(*worst), weight},
      (1 - 1 / launches) * (100 - stays));
}

namespace {

bool is_load_by_lanes(const InstructionProfile& i) {
  return action_of(i) == isa::MemoryAction::kLoad && is_vector_memory(i) && i.array_bytes != 0;
}

/// True for a load of an array of which all loads together take twice what it has, or more, by the
/// lines that they need at least: what lies in the Infinity Cache may also be left there by others
/// than this launch. Arrays without a name are not told apart: there each load is asked alone.
bool is_loaded_again(const InstructionProfile& load, const FindingInput& in) {
  constexpr double kAgain = 2;
  if (!is_load_by_lanes(load)) return false;
  double lines = 0;
  for (const InstructionProfile& i : in.launch.instructions) {
    const bool is_same = !load.array.empty() && i.array == load.array;
    if (&i == &load || (is_same && is_load_by_lanes(i))) lines += i.lines_needed;
  }
  const double line_bytes = in.device.value(target::known("cache.l1_vector_line"));
  return lines * line_bytes >= kAgain * static_cast<double>(load.array_bytes);
}

}  // namespace

Found die_order_found(const FindingInput& in, double threshold) {
  if (in.device.xcds < 2) return std::nullopt;
  // What several L2s fetch, the Infinity Cache has from the second time on.
  const double asked = requests_of(in.launch, "MALL", &LevelTraffic::requests);
  const double weight = percent(requests_of(in.launch, "MALL", &LevelTraffic::hits), asked);
  if (weight < threshold || asked < 64.0 * in.device.compute_units) return std::nullopt;
  const InstructionProfile* worst = most(in.launch, [&](const InstructionProfile& i) {
    return is_loaded_again(i, in) ? i.lines_touched : 0;
  });
  if (worst == nullptr) return std::nullopt;
  return Finding{"die-order",
                 fmt::format("the L2s of {} dies fetch the same memory{}: the Infinity Cache has "
                             "{:.0f} % of what they ask for",
                             in.device.xcds, array_of(*worst), weight),
                 place_of(*worst), weight};
}

}  // namespace wavetank::profile
