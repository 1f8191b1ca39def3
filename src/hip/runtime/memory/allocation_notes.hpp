// What is known of an allocation beyond its memory, from when a program first says or asks it until
// the memory is freed.
#pragma once

#include <cstdint>

#include "machine/device_memory.hpp"

namespace wavetank::hip {

/// HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS: copies and fills of the allocation that block the host wait
/// for their end, whatever the kinds of memory are.
void set_sync_memops(const machine::Allocation& allocation, bool wanted);
bool sync_memops(const machine::Allocation& allocation);

/// HIP_POINTER_ATTRIBUTE_BUFFER_ID: a number that no other allocation of the process has or had.
std::uint32_t allocation_number(const machine::Allocation& allocation);

/// Drops what is known of an allocation that is freed, advice for its pages included.
void forget_allocation(const machine::Allocation& allocation);

}  // namespace wavetank::hip
