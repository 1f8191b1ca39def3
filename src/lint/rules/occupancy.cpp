// Rules about what the kernel's metadata says: registers, LDS, workgroup sizes.
#include <fmt/format.h>

#include "lint/resources.hpp"
#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

using target::Limiter;
using target::Resources;

/// The work-items of a workgroup for which occupancy is compared where the kernel does not say.
constexpr std::uint32_t kUsualWorkgroup = 256;
/// The size that the compiler assumes of a kernel that says nothing (clang, HIP's default of
/// amdgpu_flat_work_group_size).
constexpr std::uint32_t kDefaultWorkgroup = 1024;

/// Registers that count as a few: half of what waves are given at once.
std::uint32_t few_vgprs(const target::Device& device) { return device.vgpr_granule / 2; }
constexpr std::uint32_t kFewSgprs = 4;
/// Of the LDS that the kernel has.
constexpr std::uint32_t kFewLdsDivisor = 16;

/// The kernel with less of one resource.
Resources without(Resources resources, Limiter limiter, std::uint32_t amount) {
  switch (limiter) {
    case Limiter::kVgpr: {
      const std::uint32_t unified =
          target::unified_vgprs(resources.arch_vgprs, resources.acc_vgprs) - amount;
      resources.arch_vgprs = std::min(unified, target::kMaxVgprsPerWave);
      resources.acc_vgprs = unified - resources.arch_vgprs;
      break;
    }
    case Limiter::kSgpr: resources.sgprs -= amount; break;
    default: resources.lds_bytes -= amount; break;
  }
  return resources;
}

bool is_few(const Resources& resources, Limiter limiter, std::uint32_t amount,
            const target::Device& device) {
  switch (limiter) {
    case Limiter::kVgpr: return amount <= few_vgprs(device);
    case Limiter::kSgpr: return amount <= kFewSgprs;
    default: return amount <= resources.lds_bytes / kFewLdsDivisor;
  }
}

std::string amount_text(Limiter limiter, std::uint32_t amount) {
  const std::string_view plural = amount == 1 ? "" : "s";
  switch (limiter) {
    case Limiter::kVgpr: return fmt::format("{} VGPR{}", amount, plural);
    case Limiter::kSgpr: return fmt::format("{} SGPR{}", amount, plural);
    default: return fmt::format("{} byte{} of LDS", amount, plural);
  }
}

/// The resource that alone keeps one wave more per SIMD from fitting, if it is one.
std::optional<Limiter> only_limiter(const target::CompilerOccupancy& occupancy) {
  std::optional<Limiter> only;
  for (std::size_t i = 0; i < occupancy.give_up.size(); ++i) {
    if (!occupancy.give_up[i]) return std::nullopt;
    if (*occupancy.give_up[i] == 0) continue;
    if (only) return std::nullopt;
    only = static_cast<Limiter>(i);
  }
  return only;
}

}  // namespace

void find_occupancy_step(const Subject& subject, Findings& findings) {
  Resources resources = resources_of(subject.kernel, subject.device);
  const auto compiler = target::compiler_occupancy(subject.device, resources);
  if (!compiler || compiler->limiter == Limiter::kWaveSlots) return;
  const auto limiter = only_limiter(*compiler);
  if (!limiter) return;
  const std::uint32_t amount = *compiler->give_up[static_cast<std::size_t>(*limiter)];
  const bool asks_for_more =
      *limiter == Limiter::kVgpr &&
      resources.arch_vgprs + resources.acc_vgprs != subject.kernel.vgpr_count;
  if (asks_for_more || !is_few(resources, *limiter, amount, subject.device)) return;
  const bool says_size = resources.workgroup_work_items != kDefaultWorkgroup;
  if (!says_size) resources.workgroup_work_items = kUsualWorkgroup;
  const auto now = target::occupancy(subject.device, resources);
  const auto then = target::occupancy(subject.device, without(resources, *limiter, amount));
  if (!now || !then || then->waves_per_cu <= now->waves_per_cu) return;
  Finding finding;
  finding.step = subject.code.entry;
  finding.of_kernel = true;
  finding.what =
      fmt::format("{} less would let {} instead of {} waves of the kernel on a compute unit",
                  amount_text(*limiter, amount), then->waves_per_cu, now->waves_per_cu);
  finding.note = fmt::format("for workgroups of {} work-items{}", resources.workgroup_work_items,
                             *limiter == Limiter::kLds ? " without dynamic LDS" : "");
  findings.push_back(std::move(finding));
}

void find_launch_bounds(const Subject& subject, Findings& findings) {
  const code_object::Kernel& kernel = subject.kernel;
  const std::uint32_t waves = kDefaultWorkgroup / target::kWaveSize / subject.device.simds_per_cu;
  const std::uint32_t most = target::max_vgprs_for_waves(subject.device, waves);
  const bool says_size = kernel.max_flat_workgroup_size != kDefaultWorkgroup ||
                         kernel.required_workgroup_size.count() != 0;
  const bool at_limit =
      kernel.vgpr_count <= most && kernel.vgpr_count + subject.device.vgpr_granule > most;
  if (says_size || !at_limit || kernel.vgpr_spill_count == 0) return;
  Finding finding;
  finding.step = subject.code.entry;
  finding.of_kernel = true;
  finding.what = fmt::format(
      "{} VGPRs are spilled, because workgroups of {} work-items leave each of them {} VGPRs",
      kernel.vgpr_spill_count, kDefaultWorkgroup, most);
  finding.note = "the kernel says that its workgroups may have 1024 work-items, or says nothing";
  findings.push_back(std::move(finding));
}

}  // namespace wavetank::lint
