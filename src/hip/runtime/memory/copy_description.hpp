// Copies that a structure describes, made into operations.
#pragma once

#include "hip/abi/status.hpp"
#include "hip/abi/types.hpp"
#include "hip/runtime/operation.hpp"

namespace wavetank::hip {

/// Fills `copy` from hipMemcpy3DParms, which counts in elements of the array when an array takes
/// part, else in bytes. Errors: kInvalidValue (no array, or not exactly one source and target).
abi::Status describe_copy(const abi::Memcpy3d& wanted, CopyOperation& copy);

/// Fills `copy` from HIP_MEMCPY3D. Errors: kInvalidValue (no memory, no array).
abi::Status describe_driver_copy(const abi::DriverMemcpy3dWide& wanted, CopyOperation& copy);

}  // namespace wavetank::hip
