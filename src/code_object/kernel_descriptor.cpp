#include "code_object/kernel_descriptor.hpp"

#include <algorithm>
#include <string>

#include "code_object/byte_view.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::uint32_t bits(std::uint32_t word, unsigned low, unsigned count) {
  return (word >> low) & ((1u << count) - 1);
}

constexpr bool bit(std::uint32_t word, unsigned index) { return bits(word, index, 1) != 0; }

// AMDGPUUsage, "compute_pgm_rsrc1 for GFX6-GFX12".
void decode_rsrc1(std::uint32_t word, KernelDescriptor& descriptor) {
  descriptor.vgpr_count = (bits(word, 0, 6) + 1) * 8;
  descriptor.sgpr_granules = bits(word, 6, 4);
  descriptor.float_round_mode_32 = static_cast<std::uint8_t>(bits(word, 12, 2));
  descriptor.float_round_mode_16_64 = static_cast<std::uint8_t>(bits(word, 14, 2));
  descriptor.float_denorm_mode_32 = static_cast<std::uint8_t>(bits(word, 16, 2));
  descriptor.float_denorm_mode_16_64 = static_cast<std::uint8_t>(bits(word, 18, 2));
  descriptor.dx10_clamp = bit(word, 21);
  descriptor.ieee_mode = bit(word, 23);
  descriptor.fp16_overflow = bit(word, 26);
}

// AMDGPUUsage, "compute_pgm_rsrc2 for GFX6-GFX12". The LDS size there is filled by the command
// processor from the packet, so it is not read.
void decode_rsrc2(std::uint32_t word, KernelDescriptor& descriptor) {
  descriptor.enable_private_segment = bit(word, 0);
  descriptor.user_sgpr_count = static_cast<std::uint8_t>(bits(word, 1, 5));
  descriptor.enable_workgroup_id_x = bit(word, 7);
  descriptor.enable_workgroup_id_y = bit(word, 8);
  descriptor.enable_workgroup_id_z = bit(word, 9);
  descriptor.enable_workgroup_info = bit(word, 10);
  // The value 3 is undefined; it is read as 2, three dimensions.
  const std::uint32_t last_dimension = bits(word, 11, 2);
  descriptor.workitem_id_dimensions =
      static_cast<std::uint8_t>(last_dimension >= 2 ? 3 : last_dimension + 1);
}

// AMDGPUUsage, "compute_pgm_rsrc3 for GFX90A, GFX942".
void decode_rsrc3(std::uint32_t word, KernelDescriptor& descriptor) {
  descriptor.accum_offset = (bits(word, 0, 6) + 1) * 4;
  descriptor.tg_split = bit(word, 16);
}

void decode_properties(std::uint16_t word, KernelDescriptor& descriptor) {
  descriptor.private_segment_buffer = bit(word, 0);
  descriptor.dispatch_ptr = bit(word, 1);
  descriptor.queue_ptr = bit(word, 2);
  descriptor.kernarg_segment_ptr = bit(word, 3);
  descriptor.dispatch_id = bit(word, 4);
  descriptor.flat_scratch_init = bit(word, 5);
  descriptor.private_segment_size = bit(word, 6);
  descriptor.wave32 = bit(word, 10);
  descriptor.uses_dynamic_stack = bit(word, 11);
}

}  // namespace

std::uint32_t KernelDescriptor::initial_mode() const {
  return static_cast<std::uint32_t>(float_round_mode_32 | float_round_mode_16_64 << 2 |
                                    float_denorm_mode_32 << 4 | float_denorm_mode_16_64 << 6 |
                                    int{dx10_clamp} << 8 | int{ieee_mode} << 9 |
                                    int{fp16_overflow} << 23);
}

Result<KernelDescriptor> decode_kernel_descriptor(std::span<const std::byte> bytes) {
  if (bytes.size() < kDescriptorBytes) {
    return fail(ErrorCode::kBadMetadata, "a kernel descriptor has 64 bytes, but only " +
                                             std::to_string(bytes.size()) + " are there");
  }
  const ByteView view(bytes);
  KernelDescriptor descriptor;
  descriptor.group_segment_bytes = *view.read<std::uint32_t>(0);
  descriptor.private_segment_bytes = *view.read<std::uint32_t>(4);
  descriptor.kernarg_size_bytes = *view.read<std::uint32_t>(8);
  descriptor.entry_byte_offset = *view.read<std::int64_t>(16);
  decode_rsrc3(*view.read<std::uint32_t>(44), descriptor);
  decode_rsrc1(*view.read<std::uint32_t>(48), descriptor);
  decode_rsrc2(*view.read<std::uint32_t>(52), descriptor);
  decode_properties(*view.read<std::uint16_t>(56), descriptor);
  const std::uint16_t preload = *view.read<std::uint16_t>(58);
  descriptor.kernarg_preload_dwords = bits(preload, 0, 7);
  descriptor.kernarg_preload_offset_dwords = bits(preload, 7, 9);
  return descriptor;
}

ArgumentRegisters argument_registers(const KernelDescriptor& descriptor) {
  ArgumentRegisters registers;
  unsigned next = 0;
  if (descriptor.private_segment_buffer) next += 4;
  if (descriptor.dispatch_ptr) next += 2;
  if (descriptor.queue_ptr) next += 2;
  if (descriptor.kernarg_segment_ptr) {
    registers.pointer = next;
    next += 2;
  }
  if (descriptor.dispatch_id) next += 2;
  if (descriptor.flat_scratch_init) next += 2;
  registers.preloaded = next;
  registers.preloaded_dwords = std::min(descriptor.kernarg_preload_dwords, 16u);
  return registers;
}

}  // namespace wavetank::code_object
