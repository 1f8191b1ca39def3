// HIP API: what the runtime knows about a pointer.
#include <cstring>
#include <optional>

#include "hip/abi/generation.hpp"
#include "hip/api/entry.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/allocation_notes.hpp"
#include "hip/runtime/memory/array.hpp"
#include "hip/runtime/memory/memory_advice.hpp"

using namespace wavetank::hip;
using abi::MemoryType;
using abi::Status;
using wavetank::machine::Allocation;
using wavetank::machine::MemoryKind;

namespace {

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

/// Gives the attribute of memory that has none, which is an error all the same.
Status give_nothing(void* data, PointerAttribute attribute) {
  using enum PointerAttribute;
  switch (attribute) {
    case kDevicePointer:
    case kHostPointer:
    case kRangeStartAddress: give(data, static_cast<void*>(nullptr)); break;
    case kSyncMemops:
    case kIsManaged:
    case kMapped: give(data, false); break;
    case kMemoryType:
    case kBufferId:
    case kRangeSize:
    case kAccessFlags: give(data, 0u); break;
    case kDeviceOrdinal: give(data, kInvalidDeviceId); break;
    case kContext:
    case kMempoolHandle:
    case kP2pTokens:
    case kIsLegacyIpcCapable:
    case kAllowedHandleTypes:
    case kIsGpuDirectRdmaCapable: return Status::kNotSupported;
  }
  return Status::kInvalidValue;
}

/// The sizes of the values are those of AMD's runtime (ROCm/clr, hip_memory.cpp): 32 bits for the
/// number of a buffer and the size of a range.
Status pointer_attribute(void* data, PointerAttribute attribute, void* pointer,
                         const Allocation& allocation) {
  using enum PointerAttribute;
  const bool on_host = allocation.kind != MemoryKind::kDevice;
  switch (attribute) {
    case kMemoryType: return give(data, abi::memory_type_number(memory_type_at(allocation)));
    case kDevicePointer: return give(data, pointer);
    case kHostPointer: return on_host ? give(data, pointer) : give_nothing(data, attribute);
    case kSyncMemops: return give(data, sync_memops(allocation));
    case kBufferId: return give(data, allocation_number(allocation));
    case kIsManaged: return give(data, memory_type_at(allocation) == MemoryType::kManaged);
    case kDeviceOrdinal: return give(data, allocation.device);
    case kRangeStartAddress: return give(data, static_cast<void*>(allocation.address));
    case kRangeSize: return give(data, static_cast<std::uint32_t>(allocation.size_bytes));
    case kMapped: return give(data, true);
    case kAccessFlags: return give(data, allocation.flags);
    default: return give_nothing(data, attribute);
  }
}

Status read_attribute(VirtualDevice& device, void* data, PointerAttribute attribute,
                      void* pointer) {
  const bool asks_type = attribute == PointerAttribute::kMemoryType;
  if (asks_type && is_array(static_cast<abi::Array*>(pointer))) {
    return give(data, abi::memory_type_number(MemoryType::kArray));
  }
  const auto allocation = find_allocation(device.memory(), pointer);
  return allocation ? pointer_attribute(data, attribute, pointer, *allocation)
                    : give_nothing(data, attribute);
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

WAVETANK_API Status hipPointerGetAttribute(void* data, PointerAttribute attribute, void* pointer) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (data == nullptr || pointer == nullptr) return Status::kInvalidValue;
    return read_attribute(device, data, attribute, pointer);
  });
}

WAVETANK_API Status hipDrvPointerGetAttributes(unsigned count, PointerAttribute* attributes,
                                               void** data, void* pointer) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (attributes == nullptr || data == nullptr || pointer == nullptr || count == 0) {
      return Status::kInvalidValue;
    }
    for (unsigned i = 0; i < count; ++i) {
      if (data[i] == nullptr) return Status::kInvalidValue;
      (void)read_attribute(device, data[i], attributes[i], pointer);
    }
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipPointerSetAttribute(const void* value, PointerAttribute attribute,
                                           void* pointer) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (value == nullptr || pointer == nullptr || attribute != PointerAttribute::kSyncMemops) {
      return Status::kInvalidValue;
    }
    unsigned wanted = 0;
    std::memcpy(&wanted, value, sizeof wanted);
    if (wanted > 1) return Status::kInvalidValue;
    const auto allocation = find_allocation(device.memory(), pointer);
    if (!allocation) return Status::kInvalidDevicePointer;
    set_sync_memops(*allocation, wanted != 0);
    return Status::kSuccess;
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
