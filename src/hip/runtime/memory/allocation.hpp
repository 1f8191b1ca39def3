// Allocations as the API makes them, on top of DeviceMemory.
#pragma once

#include <cstddef>
#include <optional>

#include "hip/abi/generation.hpp"
#include "hip/abi/status.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// Whether new memory of a kind is fine-grained, with the flags of hipHostMalloc or, of device
/// memory, hipExtMallocWithFlags (HIP's "Coherence control", and ROCm/clr for pinned memory with
/// other flags, which is coarse-grained unless HIP_HOST_COHERENT is 1).
bool is_fine_grained(const VirtualDevice& device, machine::MemoryKind kind, unsigned flags);

/// Allocates and stores the address; nothing (a null pointer) for size 0. Gives kOutOfMemory when
/// the device's own memory is exhausted, whatever the host has; before, pools give back what they
/// keep for later.
abi::Status allocate_memory(VirtualDevice& device, void** address, std::size_t size_bytes,
                            machine::MemoryKind kind, unsigned flags = 0);

/// Tells the checker, if there is one, of memory that the call under way gives to the program or
/// takes from it.
void note_allocation(const void* address, std::size_t size_bytes, bool host_sees);
void note_registration(const void* address, std::size_t size_bytes);
void note_free(const void* address);

/// What a program knows of the memory at an address: DeviceMemory::find() without the memory that
/// pools keep for later.
std::optional<machine::Allocation> find_allocation(const machine::DeviceMemory& memory,
                                                   const void* address);

/// Row pitch of pitched allocations: multiples of 256 bytes, as on CDNA devices.
std::size_t pitch_of(std::size_t width_bytes);

/// What kind of memory an address is, as pointer attributes name it.
abi::MemoryType memory_type_at(const machine::Allocation& allocation);

}  // namespace wavetank::hip
