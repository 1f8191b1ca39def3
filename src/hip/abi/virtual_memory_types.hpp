// Structures of virtual memory management (hip_runtime_api.h).
#pragma once

#include <cstdint>

#include "hip/abi/types.hpp"

namespace wavetank::hip::abi {

enum class MemAllocationType : std::int32_t { kInvalid = 0, kPinned = 1 };
enum class MemHandleType : std::int32_t { kNone = 0, kPosixFileDescriptor = 1 };

/// hipMemAllocationProp until ROCm 5.
struct MemAllocationPropertiesRocm5 {
  unsigned char compression_type;
  MemLocation location;
  MemHandleType requested_handle_type;
  MemAllocationType type;
  std::uint16_t usage;
  void* win32_metadata;
};

/// hipMemAllocationProp since ROCm 6.
struct MemAllocationProperties {
  MemAllocationType type;
  MemHandleType requested_handle_type;
  MemLocation location;
  void* win32_metadata;
  unsigned char compression_type;
  unsigned char gpu_direct_rdma_capable;
  std::uint16_t usage;
};
static_assert(sizeof(MemAllocationPropertiesRocm5) == 32 && sizeof(MemAllocationProperties) == 32);

}  // namespace wavetank::hip::abi
