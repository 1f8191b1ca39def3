#pragma once

#include <cstdint>

namespace wavetank::timing {

/// Bytes of device addresses.
struct AddressRange {
  std::uint64_t begin = 0, bytes = 0;
  bool has(std::uint64_t address) const { return address - begin < bytes; }
};

}  // namespace wavetank::timing
