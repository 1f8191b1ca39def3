// Registers at the start of a wave (LLVM AMDGPUUsage, "Initial Kernel Execution State").
#pragma once

#include <cstdint>
#include <span>

#include "base/dim3.hpp"
#include "code_object/kernel_descriptor.hpp"
#include "isa/row.hpp"
#include "machine/wave.hpp"

namespace wavetank::dispatch {

/// Everything that initial registers are made of, the same for all waves of a launch.
struct StartState {
  const code_object::KernelDescriptor* descriptor = nullptr;
  isa::Targets target = isa::Targets::kGfx90a;
  std::byte* kernarg = nullptr;
  const std::byte* dispatch_packet = nullptr;
  const std::byte* queue = nullptr;
  std::uint64_t dispatch_id = 0;
  std::uint32_t scratch_bytes_per_lane = 0;
};

/// Which part of a workgroup a wave is.
struct WavePlace {
  Dim3 workgroup_id{0, 0, 0};
  Dim3 workgroup_size;                ///< work-items, clipped at the grid's edge
  std::uint32_t first_work_item = 0;  ///< linear, a multiple of 64
  std::byte* scratch = nullptr;       ///< this wave's
};

/// Puts the waves of a workgroup at the start of a kernel: the SGPRs that it asks for, VGPR 0, EXEC
/// and MODE. Other registers keep what ran before. `scratch` is the first wave's, or nullptr.
void start_waves(std::span<machine::Wave> waves, const StartState& state, const Dim3& workgroup_id,
                 const Dim3& workgroup_size, std::byte* scratch);

}  // namespace wavetank::dispatch
