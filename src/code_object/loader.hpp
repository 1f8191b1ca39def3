// Places a parsed code object in device memory and applies its relocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "code_object/code_object.hpp"

namespace wavetank::code_object {

/// A code object in memory: every virtual address `a` of it stands at `base + a`.
struct LoadedCodeObject {
  std::vector<std::byte> file;  ///< the ELF's bytes, kept for debug information
  CodeObject object;            ///< its `image` refers to `file`
  std::byte* base = nullptr;

  std::byte* address_of(std::uint64_t virtual_address) const { return base + virtual_address; }
};

/// What load() needs from its caller.
struct LoadServices {
  /// Gives `size_bytes` of zero-filled device-visible memory, 4096-aligned, or nullptr.
  std::function<std::byte*(std::size_t size_bytes)> allocate;
  /// Address of a symbol that the code object does not define, or 0.
  std::function<std::uint64_t(std::string_view name)> resolve = {};
  /// Takes back what `allocate` gave when loading fails after it.
  std::function<void(std::byte* memory)> release = {};
};

/// Copies the segments to device memory and relocates them. The memory at `base` is the caller's to
/// free.
/// Errors: those of parse(), kOutOfMemory, kUndefinedSymbol.
Result<std::shared_ptr<LoadedCodeObject>> load(std::span<const std::byte> image,
                                               const LoadServices& services);

}  // namespace wavetank::code_object
