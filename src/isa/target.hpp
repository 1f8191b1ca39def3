// The processors that Wavetank runs: one row of facts for each. What differs between instructions
// is said by their rows (since(), until()), what differs between devices by devices/*.toml; all
// else that code asks of a processor stands here, so that nothing tells processors apart by name.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/lifetime.hpp"

namespace wavetank::isa {

/// What the system management library says of a processor's boards (amdgpu, amdgpu_smu.h and the
/// kgd_pp_interface.h of its tables).
struct Management {
  std::uint8_t metrics_revision;  ///< N of the driver's table gpu_metrics_v1_N
  bool has_edge_sensor;           ///< a temperature beside those of the junction and the memory
  /// The firmware reports the power of the moment and a clock for each die, else an average power
  /// and one clock for the card.
  bool reports_each_die;
};

/// Facts of one processor.
struct Target {
  std::string_view name;  ///< "gfx90a"
  Version version;

  /// FLAT_SCRATCH is set when a wave starts (LLVM feature architected-flat-scratch). Without it the
  /// prologue computes it from an offset that comes in an SGPR.
  bool has_architected_scratch;
  /// A bit says whether a scratch access has a VADDR (SVE). Without it there is one where SADDR is
  /// off.
  bool has_scratch_vaddr_bit;
  /// Images: MIMG instructions, textures. clang defines __HIP_NO_IMAGE_SUPPORT without.
  bool has_images;
  /// The cache policy's bits in assembly: bit 0, the second, and bit 1 of the scope.
  std::array<std::string_view, 3> policy_names;
  /// Policy bits say the scope of loads, stores and cache operations: none the wave, SC0 the
  /// workgroup, SC1 the device, both the system. Without it a load's GLC asks for memory as others
  /// see it, and what a cache operation does is for the system (LLVM AMDGPUUsage, memory models).
  bool has_scope_bits;
  /// All workgroups share one L2, so that what is in it is seen by the whole device.
  bool shares_l2;
  /// The L2 does float atomics, and does not cache fine-grained memory: there they do nothing and
  /// return 0 (AMD, "Hardware atomics operation support", MI200 series).
  bool drops_fine_grained_float_atomics;
  /// The start of a kernel invalidates the vector L1s by an operation that counters see.
  bool counts_start_invalidation;
  /// The L2's port to the fabric, in counters' names: TCC_EA_RDREQ, TCC_EA0_RDREQ.
  std::string_view fabric_port;
  /// Hardware registers from number 20 on (s_getreg_b32).
  std::span<const std::string_view> late_hardware_registers;
  Management management;

  constexpr bool has(const Lifetime& lifetime) const { return lifetime.covers(version); }
  /// "gfx90a" is 9, 0, 10.
  constexpr unsigned major() const { return static_cast<unsigned>(version) >> 8; }
  constexpr unsigned minor() const { return static_cast<unsigned>(version) >> 4 & 15; }
  constexpr unsigned stepping() const { return static_cast<unsigned>(version) & 15; }
  friend constexpr bool operator==(const Target& a, const Target& b) {
    return a.version == b.version;
  }
};

/// Do the policy bits of a load ask for memory as others see it at that time? Otherwise they are
/// hints for the caches: where bits have no scopes (Target::has_scope_bits), GLC and SLC together
/// say that data is not worth caching (LLVM AMDGPUUsage, memory models, nontemporal).
constexpr bool asks_others(bool has_scope_bits, bool glc, bool slc, bool scc) {
  return scc || (glc && (has_scope_bits || !slc));
}

inline constexpr std::array<std::string_view, 5> kXccRegisters = {
    "HW_REG_XCC_ID", "HW_REG_SQ_PERF_SNAPSHOT_DATA", "HW_REG_SQ_PERF_SNAPSHOT_DATA1",
    "HW_REG_SQ_PERF_SNAPSHOT_PC_LO", "HW_REG_SQ_PERF_SNAPSHOT_PC_HI"};

inline constexpr std::array kTargets = {
    Target{
        .name = "gfx90a",
        .version = Version::kGfx90a,
        .has_architected_scratch = false,
        .has_scratch_vaddr_bit = false,
        .has_images = true,
        .policy_names = {"glc", "slc", "scc"},
        .has_scope_bits = false,
        .shares_l2 = true,
        .drops_fine_grained_float_atomics = true,
        .counts_start_invalidation = false,
        .fabric_port = "EA",
        .late_hardware_registers = {},
        .management = {.metrics_revision = 3, .has_edge_sensor = true, .reports_each_die = false}},
    Target{
        .name = "gfx942",
        .version = Version::kGfx942,
        .has_architected_scratch = true,
        .has_scratch_vaddr_bit = true,
        .has_images = false,
        .policy_names = {"sc0", "nt", "sc1"},
        .has_scope_bits = true,
        .shares_l2 = false,
        .drops_fine_grained_float_atomics = false,
        .counts_start_invalidation = true,
        .fabric_port = "EA0",
        .late_hardware_registers = kXccRegisters,
        .management = {.metrics_revision = 5, .has_edge_sensor = false, .reports_each_die = true}},
};
inline constexpr const Target& kGfx90a = kTargets[0];
inline constexpr const Target& kGfx942 = kTargets[1];

/// All of them, oldest first.
constexpr std::span<const Target> targets() { return kTargets; }

/// The one with this name among `known`, or nullptr.
constexpr const Target* find_target(std::string_view name,
                                    std::span<const Target> known = kTargets) {
  for (const Target& target : known) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

/// Their names, oldest first.
std::vector<std::string> target_names();

/// The names of those that have something: "gfx90a gfx942".
std::string names_of(const Lifetime& lifetime);

}  // namespace wavetank::isa
