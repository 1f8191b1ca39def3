// A code object: the ELF that a kernel's compiler makes for one target (AMDGPUUsage, "ELF Code
// Object"). parse() checks and describes the bytes without copying them; load() in loader.hpp
// places it in device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.hpp"
#include "base/error.hpp"
#include "code_object/kernel_descriptor.hpp"
#include "code_object/target_id.hpp"

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

/// A global symbol that is no kernel: a function, or a device, constant or managed variable.
struct Symbol {
  enum class Kind : std::uint8_t { kFunction, kVariable };
  std::string name;
  Kind kind = Kind::kVariable;
  std::uint64_t address = 0;  ///< virtual address inside the code object
  std::uint64_t size_bytes = 0;
};

/// A PT_LOAD segment.
struct Segment {
  std::uint64_t address = 0;
  std::uint64_t file_offset = 0;
  std::uint64_t file_size_bytes = 0;
  std::uint64_t memory_size_bytes = 0;
  bool executable = false;
  bool writable = false;
};

/// A dynamic relocation; `symbol` is empty for R_AMDGPU_RELATIVE64.
struct Relocation {
  std::uint64_t address = 0;  ///< where to patch, virtual address inside the code object
  std::uint32_t type = 0;     ///< R_AMDGPU_* (AMDGPUUsage, "Relocation Records")
  std::int64_t addend = 0;
  std::string_view symbol;  ///< refers to the image
  std::uint64_t symbol_address = 0;
  bool symbol_defined = false;
  bool symbol_weak = false;  ///< if nobody defines it, its address is 0
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

/// A parsed code object. `image` refers to the caller's bytes, which must outlive it.
struct CodeObject {
  std::span<const std::byte> image;
  TargetId target;
  unsigned version = 0;  ///< 4, 5 or 6
  std::vector<Kernel> kernels;
  std::vector<Symbol> symbols;
  std::vector<Segment> segments;
  std::vector<Relocation> relocations;
  std::vector<PrintfFormat> printf_formats;
  std::uint64_t memory_size_bytes = 0;  ///< extent of all segments from virtual address 0

  const Kernel* find_kernel(std::string_view name) const;
  const Symbol* find_symbol(std::string_view name) const;
};

/// The target that the e_flags of an ELF code object name (AMDGPUUsage, "Header").
/// Errors: kBadElf when the bytes are no ELF for an AMD GPU or name an unknown processor.
Result<TargetId> target_of_elf(std::span<const std::byte> image);

/// Reads an ELF code object (versions 4, 5, 6). Kernel descriptors are read as gfx90a and gfx942
/// define them; check `target` before running anything.
/// Errors: kBadElf, kBadMetadata. Any bytes are safe to pass.
Result<CodeObject> parse(std::span<const std::byte> image);

}  // namespace wavetank::code_object
