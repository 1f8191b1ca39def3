#include "profile/advice.hpp"

#include <algorithm>
#include <functional>

#include "profile/change.hpp"
#include "profile/finding_rules.hpp"
#include "profile/launch_overhead.hpp"
#include "profile/speed_of_light.hpp"

namespace wavetank::profile {
namespace {

constexpr FindingRule kRules[] = {
    {"strided-fields", 10, "% of all cache lines touched", "coalescing=perfect",
     "Keep each field in an array of its own, or read whole structures with 16-byte accesses.",
     strided_fields_found},
    {"uncoalesced", 10, "% of all cache lines touched", "coalescing=perfect",
     "Let neighbouring lanes access neighbouring elements: swap the loops, transpose, or go "
     "through a tile in LDS.",
     uncoalesced_found},
    {"channels", kUnevenPercent,
     "% of the time that the busiest channel works more than the average", "",
     "Change the pitch of the array by 256 bytes, or spread what all waves access.", channels_found,
     "coalescing=perfect"},
    {"translation", 10, "% of the time of CUs that hold waves", "translation=free",
     "Let lanes and waves that run together stay within few pages of 2 MiB: block the loops.",
     translation_found, "coalescing=perfect"},
    {"dram-rows", 40, "% of the time that banks open rows", "hbm.bandwidth=unlimited",
     "Let waves that run together read whole rows of memory, side by side.", dram_rows_found,
     "coalescing=perfect"},
    {"die-order", 40, "% of what the L2s ask for that others had before", "dies=share",
     "Deal workgroups out so that those that share data have numbers a multiple of the dies apart.",
     die_order_found},
    {"misaligned", 5, "% of all cache lines touched", "coalescing=perfect",
     "Let arrays and rows begin at a cache line: multiples of 128 bytes.", misaligned_found},
    {"narrow-accesses", 10, "% of resident wave cycles", "accesses=wide",
     "Give each lane 16 bytes to load or store at once: float4, or four neighbouring elements.",
     narrow_accesses_found},
    {"uniform-loads", 10, "% of resident wave cycles", "uniform=scalar",
     "Say const and __restrict__, or index by what is the same in all lanes, so that the scalar "
     "unit loads it once for a wave.",
     uniform_loads_found},
    {"spill", 5, "% of vector memory instructions", "scratch=free",
     "Give the compiler more registers by __launch_bounds__, index small arrays by constants, or "
     "split the kernel.",
     spill_found},
    {"swap-loop", 10, "% of resident wave cycles", "",
     "Use the atomic that the hardware has (atomicAdd with -munsafe-fp-atomics), or sum up in LDS "
     "first.",
     swap_loop_found},
    {"atomics", 10, "% of resident wave cycles, or of vector memory instructions",
     "atomics.contention=off",
     "Count in registers or LDS first and add once for each workgroup, or spread the counters.",
     atomics_found},
    {"lds-conflict", 10, "% of the LDS's cycles", "lds.conflicts=off",
     "Pad the rows of the LDS array by one element, or let neighbouring lanes use neighbouring "
     "words.",
     lds_conflict_found},
    {"wait-barrier", 15, "% of resident wave cycles", "barriers=off",
     "Take out barriers that nobody needs, exchange within a wave by shuffles, or use smaller "
     "workgroups.",
     barrier_found},
    {"wait-fence", 10, "% of resident wave cycles, or of loads", "fences=free",
     "Use the narrowest scope and the weakest order that is right.", fence_found},
    {"division", 10, "% of vector instructions", "",
     "Divide by constants or powers of two, or multiply by a reciprocal that is computed once.",
     division_found, "l1i.misses=off"},
    {"slow-functions", 10, "% of vector instructions", "",
     "Multiply instead of pow, use __expf and its kin, or look values up.", slow_functions_found,
     "l1i.misses=off"},
    {"double-precision", 10, "% of vector instructions", "f64=as-f32",
     "Write float literals with an f, and call the functions of floats.", double_precision_found},
    {"divergence", 25, "% of lanes idle", "lanes=all",
     "Let whole waves branch alike: branch on what is the same in a wave, or compute both and "
     "select.",
     divergence_found},
    {"matrix-unit", 30, "% of vector instructions", "",
     "Use the matrix unit for products of matrices: rocWMMA, __builtin_amdgcn_mfma, or a library.",
     matrix_unit_found},
    {"workgroup-shape", 1, "% of lanes without a work-item", "",
     "Make the workgroup a multiple of 64 work-items, of 256 to fill all SIMDs.",
     workgroup_shape_found},
    {"occupancy", 50, "% of wave slots that cannot be filled", "occupancy=full",
     "Use fewer registers or less LDS for each workgroup, or more work-items in flight for each.",
     occupancy_found},
    {"small-grid", 1, "% of CUs without a workgroup", "",
     "Launch at least as many workgroups as there are CUs: less work for each.", small_grid_found},
    {"tail-effect", 20, "% of the running time", "tail=off",
     "Launch a multiple of the workgroups that fit, or smaller ones that end together.",
     tail_effect_found},
    {"wait-fetch", 20, "% of resident wave cycles", "l1i.misses=off",
     "Keep loops within the instruction cache: unroll less.", fetch_found},
    {"fusion", 25, "% of all cache lines touched", "",
     "Fuse the kernel with the one before it: values stay in registers, and there is a launch "
     "less.",
     fusion_found},
    {"launch-bound", kAroundPercent, "% of the time", "", "Do more work in one launch.",
     launch_overhead_found},
    {"launch-queue", kQueuePercent, "% of the time", "",
     "Fuse kernels that follow each other, or loop inside one.", launch_queue_found},
    {"write-back", 20, "% of the time", "fences=free",
     "Write less, or go on with what is in the caches in the same kernel.", write_back_found},
    {"dispatcher", 40, "% of the time that it starts waves", "dispatcher=free",
     "Let each workgroup do more work, in fewer workgroups.", dispatcher_found},
};

}  // namespace

std::span<const FindingRule> finding_rules() { return kRules; }

std::vector<Finding> find(const FindingInput& input) {
  std::vector<Finding> findings;
  for (const FindingRule& rule : kRules) {
    auto found = rule.find(input, rule.threshold);
    if (!found) continue;
    found->rule = &rule;
    findings.push_back(std::move(*found));
  }
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.rule < b.rule;
  });
  return findings;
}

std::vector<std::string> changes_of_findings(const LaunchProfile& launch,
                                             const target::Device& device) {
  std::vector<std::string> changes;
  for (const Finding& finding : find({launch, device})) {
    const std::string_view change = change_of(finding);
    const bool is_row = std::ranges::any_of(
        change_rows(), [&](const ChangeRow& row) { return text_of(row) == change; });
    if (!change.empty() && !is_row) changes.emplace_back(change);
  }
  return changes;
}

namespace {

/// Puts a cause before what takes it away among others, where it alone costs most of that.
void prefer_parts(std::vector<Finding>& findings) {
  constexpr double kMost = 0.5;
  for (std::size_t part = 1; part < findings.size(); ++part) {
    const auto begin = findings.begin(), at = begin + static_cast<std::ptrdiff_t>(part);
    const auto whole = std::find_if(begin, at, [&](const Finding& other) {
      return !at->rule->part_of.empty() && change_of(other) == at->rule->part_of &&
             at->gain_percent >= kMost * other.gain_percent.value_or(0);
    });
    if (whole != at) std::rotate(whole, at, at + 1);
  }
}

/// By a change that was answered; nothing if it was not.
std::optional<double> answered_gain(const Finding& finding, const LaunchProfile& launch) {
  const std::string_view change = change_of(finding);
  for (const WhatIf& answer : launch.what_if) {
    if (answer.change == change && answer.problem.empty()) return gain_percent(launch, answer);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Finding> advise(std::vector<Finding> findings, const LaunchProfile& launch) {
  if (launch.what_if.empty()) return findings;
  for (Finding& finding : findings) {
    const std::optional<double> answered = answered_gain(finding, launch);
    if (!answered) continue;
    finding.gain_percent = answered;
    finding.is_estimated = false;
  }
  // All at once is asked after each that can matter: what was not asked gains nothing.
  const bool asked_all =
      std::ranges::find(launch.what_if, kAllChanges, &WhatIf::change) != launch.what_if.end();
  std::erase_if(findings, [&](const Finding& finding) {
    if (!finding.gain_percent) return asked_all;
    return *finding.gain_percent < kLeastGainPercent;
  });
  std::ranges::sort(findings, [](const Finding& a, const Finding& b) {
    if (a.gain_percent != b.gain_percent) return a.gain_percent > b.gain_percent;
    return a.weight != b.weight ? a.weight > b.weight : a.rule < b.rule;
  });
  // What one change removes is one cause: the rule that finds more of it names it.
  std::vector<Finding> advice;
  for (Finding& finding : findings) {
    const bool is_told = std::ranges::any_of(advice, [&](const Finding& other) {
      return !change_of(finding).empty() && change_of(other) == change_of(finding);
    });
    if (!is_told) advice.push_back(std::move(finding));
  }
  prefer_parts(advice);
  return advice;
}

}  // namespace wavetank::profile
