// What a code object's metadata and descriptors say of its kernels, and of what they print.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/dim3.hpp"
#include "code_object/kernel_descriptor.hpp"

namespace wavetank::code_object {

/// What the runtime must put at one place of the kernarg segment (AMDGPUUsage, "Code Object V5
/// Metadata", value_kind). Hidden kinds are those the runtime fills by itself.
enum class ArgumentKind : std::uint8_t {
  kByValue, kGlobalBuffer, kDynamicSharedPointer, kImage, kSampler, kQueue, kPipe,
  kHiddenBlockCountX, kHiddenBlockCountY, kHiddenBlockCountZ,
  kHiddenGroupSizeX, kHiddenGroupSizeY, kHiddenGroupSizeZ,
  kHiddenRemainderX, kHiddenRemainderY, kHiddenRemainderZ,
  kHiddenGlobalOffsetX, kHiddenGlobalOffsetY, kHiddenGlobalOffsetZ,
  kHiddenGridDims, kHiddenPrintfBuffer, kHiddenHostcallBuffer, kHiddenMultigridSyncArg,
  kHiddenHeapV1, kHiddenDefaultQueue, kHiddenCompletionAction, kHiddenDynamicLdsSize,
  kHiddenPrivateBase, kHiddenSharedBase, kHiddenQueuePtr, kHiddenNone,
};

/// One entry of `.args`.
struct Argument {
  std::string name;
  ArgumentKind kind = ArgumentKind::kByValue;
  std::uint32_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;
  /// True for every kind that the program, not the runtime, supplies.
  bool is_explicit() const { return kind <= ArgumentKind::kPipe; }
  friend bool operator==(const Argument&, const Argument&) = default;
};

/// One kernel: its metadata and its descriptor. Without metadata (hand-written assembly) it has no
/// arguments, and the descriptor gives the sizes.
struct Kernel {
  std::string name;         ///< mangled name, without ".kd"
  std::string symbol;       ///< descriptor symbol, "NAME.kd"
  KernelDescriptor descriptor;
  std::uint64_t descriptor_address = 0;  ///< virtual address inside the code object
  std::uint64_t entry_address = 0;  ///< virtual address of the first instruction, in the file
  std::vector<Argument> arguments;
  std::uint32_t kernarg_size_bytes = 0;
  std::uint32_t kernarg_align_bytes = 16;
  std::uint32_t group_segment_bytes = 0;    ///< static LDS per workgroup
  std::uint32_t private_segment_bytes = 0;  ///< scratch per work-item
  std::uint32_t sgpr_count = 0;
  std::uint32_t vgpr_count = 0;  ///< ArchVGPRs and AccVGPRs together, as metadata counts them
  std::uint32_t agpr_count = 0;
  std::uint32_t sgpr_spill_count = 0;
  std::uint32_t vgpr_spill_count = 0;
  std::uint32_t max_flat_workgroup_size = 1024;
  Dim3 required_workgroup_size{0, 0, 0};  ///< zeros when not required
  bool uses_dynamic_stack = false;
  /// Bytes of the kernarg segment up to the last argument that the program supplies.
  std::uint32_t explicit_kernarg_bytes() const {
    std::uint32_t end = 0;
    for (const Argument& argument : arguments) {
      const std::uint32_t own = argument.offset_bytes + argument.size_bytes;
      if (argument.is_explicit() && own > end) end = own;
    }
    return end;
  }
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// A printf format of `amdhsa.printf` (buffered printf): "id:argument count:sizes...:format", or,
/// as HIP's -mprintf-kind=buffered writes it, "0:0:hash,format". The format is the program's own.
struct PrintfFormat {
  std::uint32_t id = 0;
  std::uint64_t hash = 0;  ///< what HIP's buffered printf stores instead of an id, else 0
  std::vector<std::uint32_t> argument_sizes_bytes;
  std::string format;
  friend bool operator==(const PrintfFormat&, const PrintfFormat&) = default;
};

}  // namespace wavetank::code_object
