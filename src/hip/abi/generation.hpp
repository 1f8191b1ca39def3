// What differs between libamdhip64.so.5, .so.6 and .so.7. Each of the three shared libraries
// defines `generation` in its own small source; all else is one core.
#pragma once

#include <cstdint>

namespace wavetank::hip::abi {

/// Where an allocation lives, independent of the numbers a generation gives it.
enum class MemoryType : std::uint8_t { kUnregistered, kHost, kDevice, kManaged, kArray, kUnified };

/// The ABI that the program was linked for.
struct Generation {
  int major;                 ///< of the soname
  int runtime_version;       ///< hipRuntimeGetVersion: major * 10^7 + minor * 10^5 + patch
};

/// Defined by the shared library (src/hip/soname.cpp.in).
extern const Generation generation;

/// hipMemoryType's number. ROCm 5: host 0, device 1, array 2, unified 3; since ROCm 6:
/// unregistered 0, host 1, device 2, managed 3, array 10, unified 11.
std::int32_t memory_type_number(MemoryType type);
/// The reverse, for structures that programs fill; unknown numbers give kUnregistered.
MemoryType memory_type_of(std::int32_t number);

}  // namespace wavetank::hip::abi
