// The 64-byte kernel descriptor (AMDGPUUsage, "Code Object V3 Kernel Descriptor"), with the fields
// of gfx90a and gfx942 taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.hpp"

namespace wavetank::code_object {

/// AMDGPUUsage, "Code Object V3 Kernel Descriptor".
inline constexpr std::size_t kDescriptorBytes = 64;

/// Every field of compute_pgm_rsrc1/2/3 and kernel_code_properties that gfx90a and gfx942 define.
struct KernelDescriptor {
  std::uint32_t group_segment_bytes = 0;
  std::uint32_t private_segment_bytes = 0;
  std::uint32_t kernarg_size_bytes = 0;
  std::int64_t entry_byte_offset = 0;  ///< from the descriptor's own address

  // rsrc1
  std::uint32_t vgpr_count = 8;     ///< allocated, ArchVGPR and AccVGPR, granule 8
  std::uint32_t sgpr_granules = 0;  ///< raw field; allocation on GFX9 is (field / 2 + 1) * 16
  std::uint8_t float_round_mode_32 = 0;
  std::uint8_t float_round_mode_16_64 = 0;
  std::uint8_t float_denorm_mode_32 = 0;
  std::uint8_t float_denorm_mode_16_64 = 3;
  bool dx10_clamp = true;
  bool ieee_mode = true;
  bool fp16_overflow = false;

  // rsrc2
  bool enable_private_segment = false;
  std::uint8_t user_sgpr_count = 0;
  bool enable_workgroup_id_x = true;
  bool enable_workgroup_id_y = false;
  bool enable_workgroup_id_z = false;
  bool enable_workgroup_info = false;
  std::uint8_t workitem_id_dimensions = 1;  ///< 1: x, 2: x and y, 3: x, y and z in v0

  // rsrc3
  std::uint32_t accum_offset = 4;  ///< first AccVGPR in the unified register file
  bool tg_split = false;

  // kernel_code_properties, in the order the SGPRs are laid out
  bool private_segment_buffer = false;  ///< 4 SGPRs
  bool dispatch_ptr = false;            ///< 2
  bool queue_ptr = false;               ///< 2
  bool kernarg_segment_ptr = false;     ///< 2
  bool dispatch_id = false;             ///< 2
  bool flat_scratch_init = false;       ///< 2
  bool private_segment_size = false;    ///< 1
  bool wave32 = false;
  bool uses_dynamic_stack = false;

  // kernarg_preload
  std::uint32_t kernarg_preload_dwords = 0;
  std::uint32_t kernarg_preload_offset_dwords = 0;

  /// MODE register at wave start: round, denorm, DX10_CLAMP (bit 8), IEEE (bit 9).
  std::uint32_t initial_mode() const;
  friend bool operator==(const KernelDescriptor&, const KernelDescriptor&) = default;
};

/// Where the kernel's arguments are at its start, from the order in which user SGPRs are set (LLVM
/// AMDGPUUsage, "Initial Kernel Execution State").
struct ArgumentRegisters {
  static constexpr unsigned kNone = ~0u;
  unsigned pointer = kNone;    ///< the first of the pair that points to the arguments
  unsigned preloaded = kNone;  ///< the first that holds a dword of them
  unsigned preloaded_dwords = 0;
};
ArgumentRegisters argument_registers(const KernelDescriptor& descriptor);

/// Decodes the 64 bytes of a descriptor. Errors: kBadMetadata when fewer bytes are given.
Result<KernelDescriptor> decode_kernel_descriptor(std::span<const std::byte> bytes);

}  // namespace wavetank::code_object
