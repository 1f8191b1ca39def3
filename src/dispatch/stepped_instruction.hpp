// An instruction of a launch as a reader wants it: disassembly and source line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/source_line.hpp"
#include "isa/row.hpp"

namespace wavetank::dispatch {

/// An instruction that a stepped launch executed.
struct SteppedInstruction {
  std::uint64_t offset_bytes =
      0;  ///< from the kernel's entry, modulo 2^64: functions may stand before
  std::uint64_t virtual_address = 0;  ///< in its code object
  std::string text;                   ///< disassembly
  const isa::Row* row = nullptr;      ///< nullptr: where no instruction is
  SourceLine source;                  ///< unknown without debug information
};

/// "+ 0x10" or, of what stands before the kernel, "- 0x10".
inline std::string offset_text(std::uint64_t offset_bytes) {
  const bool before = offset_bytes >> 63 != 0;
  return fmt::format("{} {:#x}", before ? '-' : '+', before ? 0 - offset_bytes : offset_bytes);
}

/// The place of each virtual address in a code object, whose file is given, as far as it is known.
/// Asked for diagnostics and profiles only.
using SourceLines = std::function<std::vector<SourceLine>(
    std::span<const std::byte> file, const std::vector<std::uint64_t>& virtual_addresses)>;

}  // namespace wavetank::dispatch
