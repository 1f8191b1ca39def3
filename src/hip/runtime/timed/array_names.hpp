// Which of a kernel's pointer arguments its memory instructions go through, for a profile's reader.
#pragma once

#include "dispatch/launch.hpp"
#include "machine/device_memory.hpp"
#include "profile/launch_profile.hpp"
#include "timing/memory/address_range.hpp"

namespace wavetank::hip {

/// The arrays that a launch's pointer arguments name, by address: each from its pointer to the end
/// of the allocation, or to the next array's begin.
std::vector<timing::AddressRange> array_ranges(const dispatch::Launch& launch,
                                               const machine::DeviceMemory& memory);

/// Names LaunchProfile::arrays, which are those of array_ranges() or none, and says how large they
/// are. Fills InstructionProfile::array and array_bytes with the name and the bytes of the argument
/// that points into the allocation of the instruction's lowest address, nearest before it.
/// Instructions that go elsewhere, through pointers in memory, have none; nor have those of a
/// kernel without names in its metadata.
void name_arrays(const dispatch::Launch& launch, const machine::DeviceMemory& memory,
                 profile::LaunchProfile& profile);

}  // namespace wavetank::hip
