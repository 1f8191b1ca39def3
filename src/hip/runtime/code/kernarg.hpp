// Fills a kernel's argument segment as its metadata lays it out (AMDGPUUsage, "Code Object V5
// Metadata"): what the program passes, and the hidden arguments of the runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/dim3.hpp"
#include "base/error.hpp"
#include "code_object/code_object.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// The values that hidden arguments are made from.
struct HiddenArguments {
  Dim3 grid_work_items;
  Dim3 workgroup_work_items;
  std::uint32_t dynamic_lds_bytes = 0;
  std::uint64_t multigrid_sync = 0;  ///< address of the multi-grid record, or 0
};

/// Copies the explicit arguments, `values[i]` pointing to the i-th. Arguments that would lie
/// outside `segment` are a metadata error. Errors: kBadMetadata, kBadLaunch (a null value).
Result<void> pack_explicit(const code_object::Kernel& kernel, void* const* values,
                           std::span<std::byte> segment);

/// The same from one buffer that is laid out like the segment (HIP_LAUNCH_PARAM_BUFFER_POINTER).
void pack_buffer(const code_object::Kernel& kernel, std::span<const std::byte> buffer,
                 std::span<std::byte> segment);

/// Stores the address of the buffer that a kernel prints into, which it gets when it runs.
void set_printf_buffer(const code_object::Kernel& kernel, const std::byte* buffer,
                       std::byte* segment);

/// Fills the hidden arguments that the kernel lists, but for the buffer to print into. Errors:
/// kBadMetadata, kOutOfMemory.
Result<void> pack_hidden(const code_object::Kernel& kernel, const HiddenArguments& hidden,
                         VirtualDevice& device, std::span<std::byte> segment);

}  // namespace wavetank::hip
