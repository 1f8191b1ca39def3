// Accesses beside what the program allocated, byte by byte.
#pragma once

#include <array>
#include <cstdint>

#include "check/lane_ranges.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::check {

/// What is wrong with a range of addresses.
struct OutOfBounds {
  bool found = false;
  std::uint64_t address = 0;      ///< the first byte that is nobody's
  bool freed = false;             ///< it was somebody's
  machine::Allocation near = {};  ///< the one that was freed, or the last before the address
};

class BoundsCheck {
 public:
  /// Looks whether lanes touch only what is allocated.
  OutOfBounds look(const machine::DeviceMemory& memory, const LaneRange& range) {
    for (const Known& known : known_) {
      if (range.begin - known.begin < known.size_bytes &&
          range.end - known.begin <= known.size_bytes)
        return {};
    }
    return look_up(memory, range);
  }

 private:
  OutOfBounds look_up(const machine::DeviceMemory& memory, const LaneRange& range);

  struct Known {
    std::uint64_t begin = 0;
    std::uint64_t size_bytes = 0;
  };
  std::array<Known, 4> known_ = {};
  unsigned oldest_ = 0;
};

}  // namespace wavetank::check
