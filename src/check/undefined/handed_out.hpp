// Undefined data that the host gets by a copy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "check/undefined/undefined_memory.hpp"

namespace wavetank::check {

/// Addresses [begin, end).
struct ByteRange {
  std::uint64_t begin = 0, end = 0;
};

/// What of a copy is undefined.
struct HandedOut {
  std::uint64_t address = 0;           ///< the first such byte
  bool is_all = false;                 ///< nothing of the copy is defined
  std::optional<std::uint32_t> store;  ///< of UndefinedStores: who put it there; none: nobody
};

/// Looks for undefined data that is no mere gap between data. That some bytes of a copy are
/// undefined is none of it: structures have padding and arrays have room at their ends. It is if
/// nothing of the copy is defined, if a lane worked out from undefined data all that it stored, or
/// if lanes copied a long stretch of it.
std::optional<HandedOut> find_handed_out(const UndefinedMemory& memory,
                                         std::span<const ByteRange> copied);

}  // namespace wavetank::check
