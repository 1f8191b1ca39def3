// HIP API: what the runtime knows about a pointer.
#include <cstring>
#include <optional>

#include "hip/abi/generation.hpp"
#include "hip/api/entry.hpp"
#include "hip/runtime/allocation.hpp"

using namespace wavetank::hip;
using abi::MemoryType;
using abi::Status;
using wavetank::machine::Allocation;
using wavetank::machine::MemoryKind;

namespace {

constexpr int kInvalidDeviceId = -2;

/// hipPointer_attribute.
enum class PointerAttribute : int {
  kContext = 1,
  kMemoryType,
  kDevicePointer,
  kHostPointer,
  kP2pTokens,
  kSyncMemops,
  kBufferId,
  kIsManaged,
  kDeviceOrdinal,
  kIsLegacyIpcCapable,
  kRangeStartAddress,
  kRangeSize,
  kMapped,
  kAllowedHandleTypes,
  kIsGpuDirectRdmaCapable,
  kAccessFlags,
  kMempoolHandle,
};

template <class Value>
Status give(void* data, Value value) {
  std::memcpy(data, &value, sizeof value);
  return Status::kSuccess;
}

Status pointer_attribute(void* data, PointerAttribute attribute, void* pointer,
                         const Allocation& allocation) {
  using enum PointerAttribute;
  const bool on_host = allocation.kind != MemoryKind::kDevice;
  switch (attribute) {
    case kMemoryType: return give(data, abi::memory_type_number(memory_type_at(allocation)));
    case kDevicePointer: return give(data, pointer);
    case kHostPointer:
      return on_host ? give(data, pointer) : Status::kInvalidValue;
    case kSyncMemops: return give(data, 0u);
    case kBufferId: return give(data, reinterpret_cast<std::uint64_t>(allocation.address));
    case kIsManaged: return give(data, memory_type_at(allocation) == MemoryType::kManaged);
    case kDeviceOrdinal: return give(data, allocation.device);
    case kRangeStartAddress: return give(data, static_cast<void*>(allocation.address));
    case kRangeSize: return give(data, allocation.size_bytes);
    case kMapped: return give(data, true);
    case kAccessFlags: return give(data, 3u);
    case kMempoolHandle: return give(data, static_cast<void*>(nullptr));
    case kContext:
    case kP2pTokens:
    case kIsLegacyIpcCapable:
    case kAllowedHandleTypes:
    case kIsGpuDirectRdmaCapable: return Status::kNotSupported;
  }
  return Status::kInvalidValue;
}

Status memory_range(VirtualDevice& device, const void* pointer, Allocation& allocation) {
  const auto found = find_allocation(device.memory(), pointer);
  if (!found) return Status::kInvalidValue;
  allocation = *found;
  return Status::kSuccess;
}

}  // namespace

WAVETANK_API Status hipPointerGetAttributes(abi::PointerAttributes* attributes,
                                            const void* pointer) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (attributes == nullptr || pointer == nullptr) return Status::kInvalidValue;
    *attributes = {};
    const auto allocation = find_allocation(device.memory(), pointer);
    if (!allocation) {
      // ROCm 5 has no number for memory it does not know and calls it an error.
      if (abi::generation.major < 6) return Status::kInvalidValue;
      attributes->type = abi::memory_type_number(MemoryType::kUnregistered);
      attributes->device = kInvalidDeviceId;
      return Status::kSuccess;
    }
    const MemoryType type = memory_type_at(*allocation);
    void* const address = const_cast<void*>(pointer);
    attributes->type = abi::memory_type_number(type);
    attributes->device = allocation->device;
    attributes->device_pointer = address;
    attributes->host_pointer = type == MemoryType::kDevice ? nullptr : address;
    attributes->is_managed = type == MemoryType::kManaged ? 1 : 0;
    attributes->allocation_flags = allocation->flags;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipPointerGetAttribute(void* data, PointerAttribute attribute,
                                           void* pointer) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (data == nullptr || pointer == nullptr) return Status::kInvalidValue;
    Allocation allocation;
    const Status status = memory_range(device, pointer, allocation);
    if (status != Status::kSuccess) return status;
    return pointer_attribute(data, attribute, pointer, allocation);
  });
}

WAVETANK_API Status hipDrvPointerGetAttributes(unsigned count, PointerAttribute* attributes,
                                               void** data, void* pointer) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (attributes == nullptr || data == nullptr || pointer == nullptr || count == 0) {
      return Status::kInvalidValue;
    }
    Allocation allocation;
    if (memory_range(device, pointer, allocation) != Status::kSuccess) return Status::kSuccess;
    for (unsigned i = 0; i < count; ++i) {
      if (data[i] == nullptr) return Status::kInvalidValue;
      (void)pointer_attribute(data[i], attributes[i], pointer, allocation);
    }
    return Status::kSuccess;
  });
}

// Copies and fills that block already wait for their end, which is all that SYNC_MEMOPS asks.
WAVETANK_API Status hipPointerSetAttribute(const void* value, PointerAttribute attribute,
                                           void* pointer) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (value == nullptr || attribute != PointerAttribute::kSyncMemops) {
      return Status::kInvalidValue;
    }
    const bool known = find_allocation(device.memory(), pointer).has_value();
    return known ? Status::kSuccess : Status::kInvalidDevicePointer;
  });
}

WAVETANK_API Status hipMemGetAddressRange(void** base, std::size_t* size_bytes, void* pointer) {
  return api::call_with_device([&](VirtualDevice& device) {
    const auto allocation = find_allocation(device.memory(), pointer);
    if (!allocation) return Status::kNotFound;
    if (base != nullptr) *base = allocation->address;
    if (size_bytes != nullptr) *size_bytes = allocation->size_bytes;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemPtrGetInfo(void* pointer, std::size_t* size_bytes) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (size_bytes == nullptr) return Status::kInvalidValue;
    *size_bytes = 0;
    if (pointer == nullptr) return Status::kSuccess;
    const auto allocation = find_allocation(device.memory(), pointer);
    if (!allocation) return Status::kInvalidValue;
    *size_bytes = allocation->size_bytes;
    return Status::kSuccess;
  });
}
