// Rules about a launch's shape, and about waits of its waves for each other and for instructions.
#include <fmt/format.h>

#include "profile/finding_rules.hpp"
#include "profile/launch_overhead.hpp"

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

/// The part of a launch's time in which its waves run.
double running_share(const LaunchProfile& l) {
  return l.cycles > 0 ? static_cast<double>(wave_cycles(l)) / static_cast<double>(l.cycles) : 0;
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

/// True for what makes caches write back, or forget.
bool is_fence(const InstructionProfile& i) {
  return action_of(i) == isa::MemoryAction::kCacheControl;
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
  const std::uint64_t slots = std::uint64_t{l.occupancy.waves_per_simd_limit} *
                              in.device.simds_per_cu * in.device.compute_units;
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
  // Full waves would be fewer by as much.
  return estimated({"workgroup-shape",
                    fmt::format("a workgroup of {} work-item{} fills {} of {} lanes", items,
                                items == 1 ? "" : "s", items, lanes),
                    place_of_kernel(in.launch), weight},
                   weight * running_share(in.launch));
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
  return reason_share<Reason::kWaitFetch>(in, threshold, "wait-fetch", "waiting for instructions");
}

Found die_order_found(const FindingInput& in, double threshold) {
  if (in.device.xcds < 2) return std::nullopt;
  // What several L2s fetch, the Infinity Cache has from the second time on.
  const double asked = requests_of(in.launch, "MALL", &LevelTraffic::requests);
  const double weight = percent(requests_of(in.launch, "MALL", &LevelTraffic::hits), asked);
  if (weight < threshold || asked < 64.0 * in.device.compute_units) return std::nullopt;
  const InstructionProfile* worst = most(in.launch, [](const InstructionProfile& i) {
    return action_of(i) == isa::MemoryAction::kLoad && is_vector_memory(i) ? i.lines_touched : 0;
  });
  if (worst == nullptr) return std::nullopt;
  return Finding{"die-order",
                 fmt::format("the L2s of {} dies fetch the same memory{}: the Infinity Cache has "
                             "{:.0f} % of what they ask for",
                             in.device.xcds, array_of(*worst), weight),
                 place_of(*worst), weight};
}

}  // namespace wavetank::profile
