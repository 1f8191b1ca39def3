// Allocations as the API makes them, on top of DeviceMemory.
#pragma once

#include <cstddef>

#include "hip/abi/generation.hpp"
#include "hip/abi/status.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// Allocates and stores the address; nothing (a null pointer) for size 0. Gives kOutOfMemory when
/// the device's own memory is exhausted, whatever the host has.
abi::Status allocate_memory(VirtualDevice& device, void** address, std::size_t size_bytes,
                            machine::MemoryKind kind, unsigned flags = 0);

/// Waits for the owning device and frees; kInvalidValue for an address that no allocation starts
/// at.
abi::Status free_memory(void* address);

/// Row pitch of pitched allocations: multiples of 256 bytes, as on CDNA devices.
std::size_t pitch_of(std::size_t width_bytes);

/// What kind of memory an address is, as pointer attributes name it.
abi::MemoryType memory_type_at(const machine::Allocation& allocation);

}  // namespace wavetank::hip
