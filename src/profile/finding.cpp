#include "profile/finding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "profile/contention.hpp"
#include "profile/finding_parts.hpp"
#include "profile/launch_overhead.hpp"
#include "profile/metrics.hpp"
#include "profile/speed_of_light.hpp"

namespace wavetank::profile {
namespace {

using Input = FindingInput;

Found uncoalesced(const Input& in, double threshold) {
  double all = 0;
  for (const InstructionProfile& i : in.launch.instructions) all += i.lines_touched;
  const auto* worst = most(in.launch, [](const InstructionProfile& i) {
    return std::max(i.lines_touched - i.lines_needed, 0.0);
  });
  if (worst == nullptr || worst->hits == 0 || worst->lines_touched < 1.5 * worst->lines_needed) {
    return std::nullopt;
  }
  const double weight = percent(worst->lines_touched - worst->lines_needed, all);
  if (weight < threshold) return std::nullopt;
  const isa::MemoryAction action = action_of(*worst);
  const std::string_view kind = action == isa::MemoryAction::kAtomic  ? "atomics"
                                : action == isa::MemoryAction::kStore ? "stores"
                                                                      : "loads";
  return Finding{
      "uncoalesced",
      fmt::format("uncoalesced {}: {:.3g} cache lines for each wave where {:.3g} would do", kind,
                  worst->lines_touched / worst->hits, worst->lines_needed / worst->hits),
      place_of(*worst), weight};
}

Found lds_conflict(const Input& in, double threshold) {
  const MetricValue conflict = value_of("SQ_LDS_BANK_CONFLICT", in.launch, in.device);
  const MetricValue active = value_of("SQ_LDS_IDX_ACTIVE", in.launch, in.device);
  if (!conflict.value || !active.value) return std::nullopt;
  const double weight = percent(*conflict.value, *active.value);
  if (weight < threshold) return std::nullopt;
  const auto* worst =
      most(in.launch, [](const InstructionProfile& i) { return i.lds_conflict_cycles; });
  return Finding{"lds-conflict",
                 fmt::format("LDS bank conflicts: {:.0f} % of the LDS's cycles", weight),
                 worst != nullptr ? place_of(*worst) : "", weight};
}

Found occupancy(const Input& in, double threshold) {
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
                 "", empty};
}

Found double_precision(const Input& in, double threshold) {
  double valu = 0;
  double f64 = 0;
  for (const InstructionProfile& i : in.launch.instructions) {
    if (!is_vector(i)) continue;
    valu += i.hits;
    if (is_f64(i)) f64 += i.hits;
  }
  const auto* widening =
      most(in.launch, [](const InstructionProfile& i) { return widens_f32(i) ? i.hits : 0; });
  const double weight = percent(f64, valu);
  if (widening == nullptr || weight < threshold) return std::nullopt;
  return Finding{
      "double-precision",
      fmt::format("double-precision instructions on float values: {:.0f} % of the vector "
                  "instructions; a literal without f?",
                  weight),
      place_of(*widening), weight};
}

Found divergence(const Input& in, double threshold) {
  double lanes = 0;
  double slots = 0;
  for (const InstructionProfile& i : in.launch.instructions) {
    if (!is_vector(i)) continue;
    lanes += i.active_lanes;
    slots += 64 * i.hits;
  }
  if (slots == 0) return std::nullopt;
  const double weight = 100 - percent(lanes, slots);
  if (weight < threshold) return std::nullopt;
  const auto* worst = most(in.launch, [](const InstructionProfile& i) {
    return is_vector(i) ? 64 * i.hits - i.active_lanes : 0;
  });
  return Finding{
      "divergence",
      fmt::format("{:.1f} of 64 lanes work in the average vector instruction", 64 * lanes / slots),
      worst != nullptr ? place_of(*worst) : "", weight};
}

Found spill(const Input& in, double threshold) {
  double scratch = 0;
  double memory = 0;
  for (const InstructionProfile& i : in.launch.instructions) {
    scratch += i.private_accesses;
    if (is_vector_memory(i)) memory += i.hits;
  }
  const double weight = percent(scratch, memory);
  const auto* worst =
      most(in.launch, [](const InstructionProfile& i) { return i.private_accesses; });
  if (worst == nullptr || weight < threshold) return std::nullopt;
  return Finding{"spill",
                 fmt::format("scratch memory ({} bytes a work-item): {:.0f} % of the vector memory "
                             "instructions",
                             in.launch.scratch_bytes_per_lane, weight),
                 place_of(*worst), weight};
}

Found small_grid(const Input& in, double threshold) {
  const std::uint64_t groups = workgroups(in.launch);
  const double idle = 100 - percent(static_cast<double>(groups), in.device.compute_units);
  if (groups >= in.device.compute_units || idle < threshold) return std::nullopt;
  return Finding{"small-grid",
                 fmt::format("{} workgroup{} for {} CUs", groups, groups == 1 ? "" : "s",
                             in.device.compute_units),
                 "", idle};
}

Found tail_effect(const Input& in, double threshold) {
  const LaunchProfile& l = in.launch;
  const std::uint64_t slots = std::uint64_t{l.occupancy.waves_per_simd_limit} *
                              in.device.simds_per_cu * in.device.compute_units;
  const double weight =
      percent(static_cast<double>(l.tail_cycles), static_cast<double>(wave_cycles(l)));
  // A grid that fits the device at once has no last round.
  if (l.waves <= slots || weight < threshold) return std::nullopt;
  return Finding{
      "tail-effect",
      fmt::format("the last workgroups leave slots free for {:.0f} % of the time", weight), "",
      weight};
}

Found workgroup_shape(const Input& in, double threshold) {
  const std::uint64_t items = in.launch.workgroup_work_items.count();
  const std::uint64_t lanes = (items + 63) / 64 * 64;
  const double weight = 100 - percent(static_cast<double>(items), static_cast<double>(lanes));
  if (items == 0 || weight < threshold) return std::nullopt;
  return Finding{"workgroup-shape",
                 fmt::format("a workgroup of {} work-item{} fills {} of {} lanes", items,
                             items == 1 ? "" : "s", items, lanes),
                 "", weight};
}

/// A rule that is the share of one reason in the resident cycles.
template <Reason kReason>
Found reason_share(const Input& in, double threshold, std::string_view id, std::string_view text) {
  const double weight = share_of_resident(in, kReason);
  if (weight < threshold) return std::nullopt;
  return Finding{id, fmt::format("{}: {:.0f} % of the waves' cycles", text, weight),
                 place_of_reason(in.launch, kReason), weight};
}

Found barrier(const Input& in, double threshold) {
  return reason_share<Reason::kWaitBarrier>(in, threshold, "wait-barrier", "waiting at barriers");
}
Found fence(const Input& in, double threshold) {
  return reason_share<Reason::kWaitFence>(in, threshold, "wait-fence",
                                          "fences write back or invalidate caches");
}
Found fetch(const Input& in, double threshold) {
  return reason_share<Reason::kWaitFetch>(in, threshold, "wait-fetch", "waiting for instructions");
}

Found atomics(const Input& in, double threshold) {
  const auto resident = static_cast<double>(resident_cycles(in.launch.cycles_by_reason));
  const auto* worst = most(in.launch, [](const InstructionProfile& i) {
    return action_of(i) == isa::MemoryAction::kAtomic ? static_cast<double>(total_cycles(i.cycles))
                                                      : 0;
  });
  if (worst == nullptr) return std::nullopt;
  const double weight = percent(static_cast<double>(total_cycles(worst->cycles)), resident);
  if (weight < threshold) return std::nullopt;
  return Finding{"atomics", fmt::format("atomics hold waves up: {:.0f} % of their cycles", weight),
                 place_of(*worst), weight};
}

constexpr FindingRule kRules[] = {
    {"uncoalesced", 10, uncoalesced},            // % of all cache lines touched
    {"lds-conflict", 10, lds_conflict},          // % of the LDS's cycles
    {"occupancy", 50, occupancy},                // % of wave slots that cannot be filled
    {"double-precision", 10, double_precision},  // % of vector instructions
    {"divergence", 25, divergence},              // % of lanes idle
    {"spill", 5, spill},                         // % of vector memory instructions
    {"small-grid", 1, small_grid},               // % of CUs without a workgroup
    {"tail-effect", 20, tail_effect},            // % of the running time
    {"workgroup-shape", 1, workgroup_shape},     // % of lanes without a work-item
    {"wait-barrier", 15, barrier},               // % of resident wave cycles, as the next four
    {"wait-fence", 10, fence},
    {"wait-fetch", 20, fetch},
    {"atomics", 20, atomics},
    {"launch-bound", 20, launch_overhead_found},  // % of the time, as the next two
    {"launch-queue", 20, launch_queue_found},
    {"write-back", 20, write_back_found},
    {"dispatcher", 40, dispatcher_found},    // % of the time that it starts waves
    {"translation", 10, translation_found},  // % of the time of CUs that hold waves
    {"dram-rows", 40, dram_rows_found},      // % of the time that banks open rows
    {"channels", kUnevenPercent, channels_found},
};

}  // namespace

std::span<const FindingRule> finding_rules() { return kRules; }

std::vector<Finding> find(const FindingInput& input) {
  std::vector<Finding> findings;
  for (const FindingRule& rule : kRules) {
    if (auto found = rule.find(input, rule.threshold)) findings.push_back(std::move(*found));
  }
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.id < b.id;
  });
  return findings;
}

}  // namespace wavetank::profile
