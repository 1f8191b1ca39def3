// How memory of every kind goes back: the program's own, that of pools, graphs and other processes.
#pragma once

#include "hip/abi/status.hpp"
#include "hip/runtime/stream.hpp"

namespace wavetank::hip {

/// Waits for the owning device and frees; kInvalidValue for an address that no allocation starts
/// at.
abi::Status free_memory(void* address);

/// Frees when the stream comes to it; kInvalidValue for memory of another kind, and for memory that
/// is free already.
abi::Status free_in_stream(void* address, Stream& stream);

}  // namespace wavetank::hip
