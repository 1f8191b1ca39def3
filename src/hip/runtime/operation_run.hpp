// What a stream does with an operation: the device runs it, and who watches the device is told.
#pragma once

#include <cstdint>

#include "hip/runtime/operation.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// Runs an operation of stream `stream_id` to its end. What fails (a kernel; a copy or fill of
/// memory that is gone) is reported to device_failure.hpp, which may not return.
void run_operation(const Operation& operation, VirtualDevice& device, std::uint64_t stream_id);

}  // namespace wavetank::hip
