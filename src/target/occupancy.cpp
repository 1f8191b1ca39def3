#include "target/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace wavetank::target {
namespace {

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t granule) {
  return (value + granule - 1) / granule * granule;
}

constexpr std::uint32_t divide_up(std::uint32_t value, std::uint32_t by) {
  return (value + by - 1) / by;
}

/// The least that is to be taken from `used` so that the rest satisfies `admits`, which all that is
/// less does, too. Something is left: 1 takes as much as 0 does.
template <class Admits>
std::optional<std::uint32_t> least_reduction(std::uint32_t used, Admits admits) {
  const auto reductions = std::views::iota(0u, std::max(used, 1u));
  const auto enough = std::ranges::partition_point(
      reductions, [&](std::uint32_t less) { return !admits(used - less); });
  if (enough == reductions.end()) return std::nullopt;
  return *enough;
}

struct Rules {
  const Device& device;
  const Resources& resources;
  std::uint32_t waves_per_workgroup;

  /// Workgroups on a CU whose SIMDs each hold `waves_per_simd` waves.
  std::uint32_t workgroups(std::uint32_t waves_per_simd) const {
    return waves_per_simd * device.simds_per_cu / waves_per_workgroup;
  }
  std::uint32_t sgpr_waves(std::uint32_t sgprs) const {
    return waves_by_sgprs(device, sgprs, resources.sgpr_rule, resources.trap_handler);
  }
  std::uint32_t lds_workgroups(std::uint32_t bytes) const {
    if (bytes == 0) return workgroups(device.wave_slots_per_simd);
    return device.lds_bytes_per_cu / device.allocated_lds_bytes(bytes);
  }
  /// Single-wave workgroups need no barrier (LLVM getMaxWorkGroupsPerCU).
  std::uint32_t barrier_workgroups() const {
    return waves_per_workgroup == 1 ? workgroups(device.wave_slots_per_simd)
                                    : device.barriers_per_cu;
  }
  /// The fullest SIMD when `count` workgroups are resident.
  std::uint32_t waves_per_simd(std::uint32_t count) const {
    return std::min(device.wave_slots_per_simd,
                    divide_up(count * waves_per_workgroup, device.simds_per_cu));
  }
};

ResourceLimit vgpr_limit(const Rules& rules) {
  const Resources& r = rules.resources;
  ResourceLimit limit{.resource = Limiter::kVgpr};
  limit.used = unified_vgprs(r.arch_vgprs, r.acc_vgprs);
  limit.allocated = round_up(std::max(limit.used, 1u), rules.device.vgpr_granule);
  limit.waves_per_simd = waves_by_vgprs(rules.device, limit.used);
  limit.workgroups_per_cu = rules.workgroups(limit.waves_per_simd);
  return limit;
}

ResourceLimit sgpr_limit(const Rules& rules) {
  const Device& device = rules.device;
  ResourceLimit limit{.resource = Limiter::kSgpr, .used = rules.resources.sgprs};
  limit.allocated = round_up(std::max(limit.used, 1u), device.sgpr_granule);
  limit.waves_per_simd = rules.sgpr_waves(limit.used);
  limit.workgroups_per_cu = rules.workgroups(limit.waves_per_simd);
  return limit;
}

ResourceLimit lds_limit(const Rules& rules) {
  ResourceLimit limit{.resource = Limiter::kLds, .used = rules.resources.lds_bytes};
  limit.allocated = rules.device.allocated_lds_bytes(limit.used);
  limit.workgroups_per_cu = rules.lds_workgroups(limit.used);
  limit.waves_per_simd = rules.waves_per_simd(limit.workgroups_per_cu);
  return limit;
}

ResourceLimit slot_limit(const Rules& rules) {
  ResourceLimit limit{.resource = Limiter::kWaveSlots, .used = rules.waves_per_workgroup};
  limit.allocated = limit.used;
  limit.waves_per_simd = rules.device.wave_slots_per_simd;
  limit.workgroups_per_cu = rules.workgroups(limit.waves_per_simd);
  return limit;
}

ResourceLimit barrier_limit(const Rules& rules) {
  ResourceLimit limit{.resource = Limiter::kBarriers};
  limit.used = limit.allocated = rules.waves_per_workgroup == 1 ? 0 : 1;
  limit.workgroups_per_cu = rules.barrier_workgroups();
  limit.waves_per_simd = rules.waves_per_simd(limit.workgroups_per_cu);
  return limit;
}

/// Fills give_up of the three resources a programmer can give up.
void fill_give_up(const Rules& rules, Occupancy& answer) {
  const std::uint32_t wanted = answer.workgroups_per_cu + 1;
  const Resources& r = rules.resources;
  // Without AccVGPRs the rounding to 4 changes nothing that the rounding to 8 does not.
  answer.limits[0].give_up =
      least_reduction(unified_vgprs(r.arch_vgprs, r.acc_vgprs), [&](std::uint32_t vgprs) {
        return rules.workgroups(waves_by_vgprs(rules.device, vgprs)) >= wanted;
      });
  answer.limits[1].give_up = least_reduction(r.sgprs, [&](std::uint32_t sgprs) {
    return rules.workgroups(rules.sgpr_waves(sgprs)) >= wanted;
  });
  answer.limits[2].give_up = least_reduction(
      r.lds_bytes, [&](std::uint32_t bytes) { return rules.lds_workgroups(bytes) >= wanted; });
  for (const Limiter fixed : {Limiter::kWaveSlots, Limiter::kBarriers}) {
    ResourceLimit& limit = answer.limits[static_cast<std::size_t>(fixed)];
    if (limit.workgroups_per_cu >= wanted) limit.give_up = 0;
  }
}

/// LLVM AMDGPUSubtarget::getOccupancyWithLocalMemSize, which does not round LDS to its granule.
std::uint32_t compiler_waves_by_lds(const Rules& rules, std::uint32_t lds_bytes) {
  const std::uint32_t by_slots = rules.workgroups(rules.device.wave_slots_per_simd);
  const std::uint32_t most = std::min(by_slots, rules.barrier_workgroups());
  const std::uint32_t by_lds = rules.device.lds_bytes_per_cu / std::max(lds_bytes, 1u);
  if (by_lds == 0) return 1;
  return rules.waves_per_simd(std::min(most, by_lds));
}

/// Waves per SIMD that VGPRs, SGPRs and LDS admit by the compiler's rules.
std::array<std::uint32_t, 3> compiler_waves(const Rules& rules) {
  const Resources& r = rules.resources;
  const std::uint32_t vgprs = unified_vgprs(r.arch_vgprs, r.acc_vgprs);
  return {std::max(waves_by_vgprs(rules.device, vgprs), 1u),
          waves_by_sgprs(rules.device, r.sgprs, SgprRule::kCompiler),
          compiler_waves_by_lds(rules, r.lds_bytes)};
}

Result<void> check(const Device& device, const Resources& r) {
  const auto over = [](std::string_view what, std::uint32_t value, std::uint32_t most) {
    return fail(ErrorCode::kUsage,
                fmt::format("{} {}: a kernel can have at most {}", value, what, most));
  };
  if (r.arch_vgprs > kMaxVgprsPerWave) return over("ArchVGPRs", r.arch_vgprs, kMaxVgprsPerWave);
  if (r.acc_vgprs > kMaxVgprsPerWave) return over("AccVGPRs", r.acc_vgprs, kMaxVgprsPerWave);
  if (r.sgprs > kMaxSgprsPerWave) return over("SGPRs", r.sgprs, kMaxSgprsPerWave);
  if (r.lds_bytes > device.lds_bytes_per_cu) {
    return over("bytes of LDS", r.lds_bytes, device.lds_bytes_per_cu);
  }
  if (r.workgroup_work_items > device.max_workgroup_work_items) {
    return over("work-items per workgroup", r.workgroup_work_items,
                device.max_workgroup_work_items);
  }
  if (r.workgroup_work_items == 0) {
    return fail(ErrorCode::kUsage, "a workgroup has at least one work-item");
  }
  return {};
}

}  // namespace

std::string_view to_text(Limiter limiter) {
  switch (limiter) {
    case Limiter::kVgpr: return "VGPRs";
    case Limiter::kSgpr: return "SGPRs";
    case Limiter::kLds: return "LDS";
    case Limiter::kWaveSlots: return "wave slots";
    case Limiter::kBarriers: return "barriers";
  }
  return "?";
}

std::uint32_t unified_vgprs(std::uint32_t arch_vgprs, std::uint32_t acc_vgprs) {
  return acc_vgprs == 0 ? arch_vgprs : round_up(arch_vgprs, 4) + acc_vgprs;
}

std::uint32_t waves_by_vgprs(const Device& device, std::uint32_t vgprs) {
  const std::uint32_t allocated = round_up(std::max(vgprs, 1u), device.vgpr_granule);
  return std::min(device.vgprs_per_simd / allocated, device.wave_slots_per_simd);
}

std::uint32_t waves_by_sgprs(const Device& device, std::uint32_t sgprs, SgprRule rule,
                             bool trap_handler) {
  if (rule == SgprRule::kCompiler) {
    // LLVM's thresholds for VOLCANIC_ISLANDS and GFX9; 80 and 88 admit 10 and 9, beyond the slots.
    const std::uint32_t waves = sgprs <= 80 ? 10 : sgprs <= 88 ? 9 : sgprs <= 100 ? 8 : 7;
    return std::min(waves, device.wave_slots_per_simd);
  }
  const std::uint32_t reserved = trap_handler ? 16 : 0;
  const std::uint32_t allocated = round_up(std::max(sgprs + reserved, 1u), device.sgpr_granule);
  return std::min(device.sgprs_per_simd / allocated, device.wave_slots_per_simd);
}

std::uint32_t max_vgprs_for_waves(const Device& device, std::uint32_t waves) {
  const std::uint32_t share = device.vgprs_per_simd / std::max(waves, 1u);
  return std::min(share / device.vgpr_granule * device.vgpr_granule, 2 * kMaxVgprsPerWave);
}

Result<Occupancy> occupancy(const Device& device, const Resources& resources) {
  if (Result<void> valid = check(device, resources); !valid) {
    return tl::unexpected(std::move(valid).error());
  }
  const Rules rules{device, resources, divide_up(resources.workgroup_work_items, kWaveSize)};
  Occupancy answer;
  answer.waves_per_workgroup = rules.waves_per_workgroup;
  answer.max_waves_per_cu = device.wave_slots_per_simd * device.simds_per_cu;
  answer.limits = {vgpr_limit(rules), sgpr_limit(rules), lds_limit(rules), slot_limit(rules),
                   barrier_limit(rules)};
  // Wave slots come last among equals only when nothing the kernel uses is to blame.
  answer.limiter = Limiter::kWaveSlots;
  for (const ResourceLimit& limit : answer.limits) {
    if (limit.workgroups_per_cu < answer.limit(answer.limiter).workgroups_per_cu) {
      answer.limiter = limit.resource;
    }
  }
  answer.workgroups_per_cu = answer.limit(answer.limiter).workgroups_per_cu;
  answer.waves_per_cu = answer.workgroups_per_cu * rules.waves_per_workgroup;
  answer.waves_per_simd = rules.waves_per_simd(answer.workgroups_per_cu);
  const auto by_compiler = compiler_waves(rules);
  answer.compiler_waves_per_simd = *std::min_element(by_compiler.begin(), by_compiler.end());
  fill_give_up(rules, answer);
  return answer;
}

Result<CompilerOccupancy> compiler_occupancy(const Device& device, const Resources& resources) {
  if (Result<void> valid = check(device, resources); !valid) {
    return tl::unexpected(std::move(valid).error());
  }
  const Rules rules{device, resources, divide_up(resources.workgroup_work_items, kWaveSize)};
  const auto waves = compiler_waves(rules);
  const auto least = std::min_element(waves.begin(), waves.end());
  CompilerOccupancy answer;
  answer.waves_per_simd = *least;
  // Without LDS, what is left of the LDS rule is how the workgroup's waves fill the slots.
  if (*least < compiler_waves_by_lds(rules, 0)) {
    answer.limiter = static_cast<Limiter>(least - waves.begin());
  }
  const std::uint32_t wanted = *least + 1;
  answer.give_up = {
      least_reduction(unified_vgprs(resources.arch_vgprs, resources.acc_vgprs),
                      [&](std::uint32_t n) { return waves_by_vgprs(device, n) >= wanted; }),
      least_reduction(resources.sgprs,
                      [&](std::uint32_t n) {
                        return waves_by_sgprs(device, n, SgprRule::kCompiler) >= wanted;
                      }),
      least_reduction(resources.lds_bytes,
                      [&](std::uint32_t n) { return compiler_waves_by_lds(rules, n) >= wanted; })};
  return answer;
}

}  // namespace wavetank::target
