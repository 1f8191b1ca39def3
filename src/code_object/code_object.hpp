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

#include "base/error.hpp"
#include "code_object/kernel.hpp"
#include "code_object/target_id.hpp"

namespace wavetank::code_object {

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
