// What is told of an address that a device may not touch.
#pragma once

#include <cstdint>
#include <string>

#include "machine/device_memory.hpp"

namespace wavetank::machine {

/// Below this an address is a null pointer with an index or an offset.
inline constexpr std::uint64_t kNullEnd = 1 << 16;

/// Of an address inside an allocation: "inside an allocation of 64 bytes at 0x... that does not
/// allow it".
std::string forbidden_text(const Allocation& allocation);

/// What lies at the address or before it: "1536 bytes past the end of an allocation of 2560 bytes
/// at 0x...". Empty where nothing near has to do with a pointer of the program.
std::string neighbour_text(const DeviceMemory& memory, std::uint64_t address);

}  // namespace wavetank::machine
