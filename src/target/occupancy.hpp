// How many waves of a kernel fit on a compute unit, and what stops the next workgroup. Pure integer
// rules of gfx90a and gfx942 (LLVM AMDGPU, Utils/AMDGPUBaseInfo.cpp and AMDGPUSubtarget.cpp).
//
//   VGPRs  a wave takes roundup(roundup(arch, 4) + acc, 8) of the 512 of its SIMD
//   SGPRs  two rules, see SgprRule
//   LDS    a workgroup takes roundup(bytes, 512) of the 65536 of its CU
//   slots  8 waves per SIMD, 32 per CU; barriers: 16 workgroups of more than one wave per CU
//
// A workgroup lives on one CU and its waves spread over the four SIMDs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "target/device.hpp"

namespace wavetank::target {

inline constexpr std::uint32_t kWaveSize = 64;
/// ArchVGPRs, and as many AccVGPRs, that a wave can address.
inline constexpr std::uint32_t kMaxVgprsPerWave = 256;
/// SGPRs that a wave can address, with VCC, FLAT_SCRATCH and XNACK_MASK (LLVM: 102 + 6, less what
/// overlaps; the allocation never exceeds 112).
inline constexpr std::uint32_t kMaxSgprsPerWave = 112;

/// How SGPRs limit waves. The two differ only for 97 to 100 SGPRs: 7 waves against 8.
enum class SgprRule : std::uint8_t {
  /// The thresholds behind the compiler's "Occupancy [waves/SIMD]" remark: up to 100 registers 8
  /// waves, beyond 7 (LLVM GCNSubtarget::getOccupancyWithNumSGPRs).
  kCompiler,
  /// The register file: 800 per SIMD, taken in 16s (LLVM getMaxNumSGPRs): up to 96 registers 8
  /// waves, 97 to 112 7.
  kAllocation,
};

/// What a kernel and its launch need.
struct Resources {
  std::uint32_t arch_vgprs = 0;  ///< v registers
  std::uint32_t acc_vgprs = 0;   ///< a registers
  std::uint32_t sgprs = 0;       ///< with VCC, FLAT_SCRATCH and XNACK_MASK, as compilers count
  std::uint32_t lds_bytes = 0;   ///< per workgroup, static and dynamic
  std::uint32_t workgroup_work_items = 1024;
  SgprRule sgpr_rule = SgprRule::kCompiler;
  bool trap_handler = false;  ///< kAllocation only: the 16 SGPRs that a trap handler reserves
};

/// What can stop the next workgroup, in the order that reports list them.
enum class Limiter : std::uint8_t { kVgpr, kSgpr, kLds, kWaveSlots, kBarriers };
inline constexpr std::size_t kLimiterCount = 5;

/// "VGPRs", "SGPRs", "LDS", "wave slots" or "barriers".
std::string_view to_text(Limiter limiter);

/// One resource by itself.
struct ResourceLimit {
  Limiter resource = Limiter::kVgpr;
  std::uint32_t used = 0;               ///< as the kernel states it; registers, bytes or waves
  std::uint32_t allocated = 0;          ///< after rounding to the granule
  std::uint32_t waves_per_simd = 0;     ///< that this resource alone admits
  std::uint32_t workgroups_per_cu = 0;  ///< that this resource alone admits
  /// Registers or bytes to give up so that this resource admits one workgroup more than are
  /// resident; 0 if it already does, nothing if no amount is enough.
  std::optional<std::uint32_t> give_up = std::nullopt;
};

/// The answer.
struct Occupancy {
  std::uint32_t waves_per_workgroup = 0;
  std::uint32_t workgroups_per_cu = 0;  ///< 0: one workgroup does not fit
  std::uint32_t waves_per_cu = 0;
  std::uint32_t waves_per_simd = 0;  ///< of the fullest SIMD
  std::uint32_t max_waves_per_cu = 0;
  Limiter limiter = Limiter::kWaveSlots;  ///< what admits the fewest workgroups
  /// The figure of the compiler's kernel-resource-usage remark, which does not round to whole
  /// workgroups for registers: the least of what VGPRs, SGPRs and LDS admit per SIMD.
  std::uint32_t compiler_waves_per_simd = 0;
  std::array<ResourceLimit, kLimiterCount> limits;  ///< indexed by Limiter

  const ResourceLimit& limit(Limiter resource) const {
    return limits[static_cast<std::size_t>(resource)];
  }
};

/// VGPRs that a wave takes from the register file, before rounding to the granule: AccVGPRs start
/// at the next multiple of 4.
std::uint32_t unified_vgprs(std::uint32_t arch_vgprs, std::uint32_t acc_vgprs);

/// Waves per SIMD that a number of unified VGPRs admits; 0 if not even one fits.
std::uint32_t waves_by_vgprs(const Device& device, std::uint32_t vgprs);

/// Waves per SIMD that a number of SGPRs admits.
std::uint32_t waves_by_sgprs(const Device& device, std::uint32_t sgprs, SgprRule rule,
                             bool trap_handler = false);

/// The most unified VGPRs with which `waves` waves fit on a SIMD.
std::uint32_t max_vgprs_for_waves(const Device& device, std::uint32_t waves);

/// Occupancy of a kernel. Errors: kUsage when a number exceeds what any kernel can ask of the
/// device (registers, LDS, workgroup size).
Result<Occupancy> occupancy(const Device& device, const Resources& resources);

/// The figure of the compiler's remark, with its reason.
struct CompilerOccupancy {
  std::uint32_t waves_per_simd = 0;
  Limiter limiter = Limiter::kWaveSlots;  ///< kWaveSlots: no resource of the kernel limits it
  /// For each of VGPRs, SGPRs and LDS (indexed by Limiter): registers or bytes to give up so that
  /// it admits one wave more per SIMD; 0 if it already does, nothing if no amount is enough.
  std::array<std::optional<std::uint32_t>, 3> give_up = {};
};

/// What "Occupancy [waves/SIMD]" of -Rpass-analysis=kernel-resource-usage says of a kernel, where
/// `workgroup_work_items` is the most that the kernel was compiled for and `lds_bytes` its static
/// LDS (LLVM GCNSubtarget::computeOccupancy). Errors: as occupancy().
Result<CompilerOccupancy> compiler_occupancy(const Device& device, const Resources& resources);

}  // namespace wavetank::target
