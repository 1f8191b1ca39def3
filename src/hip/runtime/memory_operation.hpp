// Operations that write a value to memory or wait for one (hipStreamWriteValue,
// hipStreamWaitValue).
#pragma once

#include <cstdint>

#include "hip/abi/graph_types.hpp"
#include "hip/runtime/operation.hpp"
#include "hip/runtime/transfer.hpp"

namespace wavetank::hip {

enum class MemoryWidth : std::uint8_t { k32, k64 };

/// hipStreamWaitValueGte and so on: what must hold of the masked values.
enum class MemoryCompare : unsigned { kGreaterOrEqual = 0, kEqual = 1, kAnd = 2, kNor = 3 };
inline constexpr unsigned kLastCompare = 3;

struct MemoryWait {
  void* address = nullptr;
  std::uint64_t value = 0;
  std::uint64_t mask = ~std::uint64_t{0};
  MemoryCompare compare = MemoryCompare::kGreaterOrEqual;
  MemoryWidth width = MemoryWidth::k32;
};

/// True for an aligned word in memory that devices know, and may write if it is to be written.
bool is_memory_word(const void* address, MemoryWidth width, RangeUse use);

/// What a device does in the order of a stream; a word that is gone by then is a memory fault.
HostOperation memory_write(VirtualDevice& device, void* address, std::uint64_t value,
                           MemoryWidth width);
HostOperation memory_wait(VirtualDevice& device, const MemoryWait& wait);

/// The most operations that one batch may have (hipStreamBatchMemOp).
inline constexpr unsigned kMostBatchOperations = 256;
/// True for a known type, a memory word, and for waits a known comparison.
bool is_valid_operation(const abi::BatchOperation& operation);
/// A valid operation of a batch.
HostOperation memory_operation(VirtualDevice& device, const abi::BatchOperation& operation);

}  // namespace wavetank::hip
