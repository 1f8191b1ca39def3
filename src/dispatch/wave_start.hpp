// Registers at the start of a wave (LLVM AMDGPUUsage, "Initial Kernel Execution State").
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/dim3.hpp"
#include "code_object/kernel_descriptor.hpp"
#include "isa/target.hpp"
#include "machine/wave.hpp"

namespace wavetank::dispatch {

/// Everything that initial registers are made of, the same for all waves of a launch.
struct StartState {
  const code_object::KernelDescriptor* descriptor = nullptr;
  const isa::Target* target = &isa::kGfx90a;
  std::byte* kernarg = nullptr;
  const std::byte* dispatch_packet = nullptr;
  const std::byte* queue = nullptr;
  std::uint64_t dispatch_id = 0;
  std::uint32_t scratch_bytes_per_lane = 0;
  Dim3 workgroup_size{0, 0, 0};  ///< of those that the grid's edge does not clip
};

/// Which part of a workgroup a wave is.
struct WavePlace {
  Dim3 workgroup_id{0, 0, 0};
  Dim3 workgroup_size;                ///< work-items, clipped at the grid's edge
  std::uint32_t first_work_item = 0;  ///< linear, a multiple of 64
  std::byte* scratch = nullptr;       ///< this wave's
};

/// Puts the waves of a launch's workgroups at the start of its kernel.
class WaveStart {
 public:
  WaveStart() = default;
  explicit WaveStart(const StartState& state);

  /// Writes the SGPRs that the kernel asks for, VGPR 0, EXEC and MODE of a workgroup's waves. Other
  /// registers keep what ran before, or are 0. `scratch` is the first wave's, or nullptr.
  void start(std::span<machine::Wave> waves, const Dim3& workgroup_id, const Dim3& workgroup_size,
             std::byte* scratch) const;

 private:
  void put_sgprs(machine::Wave& wave, const WavePlace& place) const;
  void put_registers(std::span<machine::Wave> waves, const Dim3& workgroup_size) const;
  void put_common_sgprs(machine::Wave& wave, const Dim3& workgroup_id) const;

  StartState state_;
  std::uint32_t mode_ = 0;
  std::vector<std::uint32_t> ids_;  ///< VGPR 0 of a whole workgroup
  /// Waves differ in nothing but their workgroup: no scratch, no number in the workgroup.
  bool alike_ = false;
  /// SGPRs of such waves, workgroup ids zero. On a line of the host's, as copies are that wide.
  alignas(64) std::array<std::uint32_t, 102> common_ = {};
  unsigned common_count_ = 0;
  unsigned id_place_ = 0;  ///< SGPR of the first workgroup id
};

}  // namespace wavetank::dispatch
