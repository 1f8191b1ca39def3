// What hipMallocAsync does: memory of a pool for use on a stream, made at once.
#pragma once

#include <cstddef>

#include "hip/abi/status.hpp"
#include "hip/runtime/memory/memory_pool.hpp"

namespace wavetank::hip {

/// Allocates for use on a stream; nothing (a null pointer) for size 0. Gives kOutOfMemory beyond
/// the pool's or the device's limit.
abi::Status allocate_from_pool(MemoryPool& pool, void** address, std::size_t size_bytes,
                               Stream& stream);

}  // namespace wavetank::hip
