// HIP API: virtual memory management, addresses and pages apart.
#include <cstring>
#include <utility>

#include "hip/abi/generation.hpp"
#include "hip/abi/virtual_memory_types.hpp"
#include "hip/api/entry.hpp"
#include "hip/runtime/descriptor.hpp"
#include "hip/runtime/memory/memory_handle.hpp"

using namespace wavetank;
using namespace wavetank::hip;
using abi::MemAllocationProperties;
using abi::MemHandleType;
using abi::Status;
using machine::Access;

namespace {

/// HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, which is what HIP gives.
constexpr std::size_t kGranularityBytes = 4096;

/// The properties in the layout of the program's ROCm.
MemAllocationProperties read_properties(const void* given) {
  MemAllocationProperties properties{};
  if (abi::generation.major >= 6) {
    std::memcpy(&properties, given, sizeof properties);
    return properties;
  }
  abi::MemAllocationPropertiesRocm5 old{};
  std::memcpy(&old, given, sizeof old);
  properties.type = old.type;
  properties.requested_handle_type = old.requested_handle_type;
  properties.location = old.location;
  properties.win32_metadata = old.win32_metadata;
  properties.compression_type = old.compression_type;
  properties.usage = old.usage;
  return properties;
}

void write_properties(const MemAllocationProperties& properties, void* target) {
  if (abi::generation.major >= 6) {
    std::memcpy(target, &properties, sizeof properties);
    return;
  }
  const abi::MemAllocationPropertiesRocm5 old{
      .compression_type = properties.compression_type,
      .location = properties.location,
      .requested_handle_type = properties.requested_handle_type,
      .type = properties.type,
      .usage = properties.usage,
      .win32_metadata = properties.win32_metadata};
  std::memcpy(target, &old, sizeof old);
}

VirtualDevice* device_at(const abi::MemLocation& location) {
  if (location.type != abi::MemLocationType::kDevice) return nullptr;
  return Runtime::instance().device(location.id);
}

/// The device that properties name, or nullptr if they make no sense.
VirtualDevice* device_of(const MemAllocationProperties& properties) {
  if (properties.type != abi::MemAllocationType::kPinned) return nullptr;
  return device_at(properties.location);
}

Status ok_or(const Result<void>& result, Status otherwise) {
  if (result) return Status::kSuccess;
  return result.error().code == ErrorCode::kOutOfMemory ? Status::kOutOfMemory : otherwise;
}

/// No work of any device may be using what changes.
void synchronize_all() { Runtime::instance().synchronize(); }

bool is_access(int flags) { return flags == 0 || flags == 1 || flags == 3; }

}  // namespace

WAVETANK_API Status hipMemGetAllocationGranularity(std::size_t* granularity_bytes,
                                                   const void* wanted, int option) {
  return api::call([&] {
    if (granularity_bytes == nullptr || wanted == nullptr) return Status::kInvalidValue;
    const bool known_option = option == 0 || option == 1;  // minimum, recommended
    if (!known_option || device_of(read_properties(wanted)) == nullptr) {
      return Status::kInvalidValue;
    }
    *granularity_bytes = kGranularityBytes;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemAddressReserve(void** address, std::size_t size_bytes,
                                         std::size_t alignment_bytes, void* wanted,
                                         unsigned long long flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (address == nullptr || flags != 0) return Status::kInvalidValue;
    const auto reserved =
        device.memory().reserve_addresses(size_bytes, alignment_bytes, wanted, device.ordinal());
    if (!reserved) return Status::kOutOfMemory;
    *address = *reserved;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemAddressFree(void* address, std::size_t size_bytes) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (address == nullptr || size_bytes == 0) return Status::kInvalidValue;
    return ok_or(device.memory().release_addresses(address, size_bytes), Status::kUnknown);
  });
}

WAVETANK_API Status hipMemCreate(MemoryHandle** handle, std::size_t size_bytes, const void* wanted,
                                 unsigned long long flags) {
  return api::call_with_device([&](VirtualDevice&) {
    if (handle == nullptr || size_bytes == 0 || flags != 0 || wanted == nullptr) {
      return Status::kInvalidValue;
    }
    const MemAllocationProperties properties = read_properties(wanted);
    VirtualDevice* const device = device_of(properties);
    if (device == nullptr) return Status::kInvalidValue;
    const MemHandleType type = properties.requested_handle_type;
    if (type != MemHandleType::kNone && type != MemHandleType::kPosixFileDescriptor) {
      return Status::kNotSupported;
    }
    if (size_bytes > device->description().memory_bytes) return Status::kOutOfMemory;
    if (size_bytes % kGranularityBytes != 0) return Status::kInvalidValue;
    auto pages = device->memory().create_pages(size_bytes, device->ordinal());
    if (!pages) return Status::kOutOfMemory;
    *handle = add_memory_handle(std::move(*pages), properties);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemRelease(MemoryHandle* handle) {
  return api::call(
      [&] { return release_memory_handle(handle) ? Status::kSuccess : Status::kInvalidValue; });
}

WAVETANK_API Status hipMemRetainAllocationHandle(MemoryHandle** handle, void* address) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (handle == nullptr || address == nullptr) return Status::kInvalidValue;
    MemoryHandle* const retained = retain_memory_handle(device.memory().pages_at(address));
    if (retained == nullptr) return Status::kInvalidValue;
    *handle = retained;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemGetAllocationPropertiesFromHandle(void* target, MemoryHandle* handle) {
  return api::call([&] {
    const MemoryHandle known = memory_handle(handle);
    if (target == nullptr || known.held == nullptr) return Status::kInvalidValue;
    write_properties(known.properties, target);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemMap(void* address, std::size_t size_bytes, std::size_t offset_bytes,
                              MemoryHandle* handle, unsigned long long flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    const MemoryHandle known = memory_handle(handle);
    if (address == nullptr || size_bytes == 0 || offset_bytes != 0 || flags != 0) {
      return Status::kInvalidValue;
    }
    if (known.held == nullptr) return Status::kInvalidValue;
    return ok_or(device.memory().map(address, size_bytes, known.held, known.properties.location.id),
                 Status::kInvalidValue);
  });
}

WAVETANK_API Status hipMemUnmap(void* address, std::size_t size_bytes) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (address == nullptr || size_bytes == 0) return Status::kInvalidValue;
    synchronize_all();
    return ok_or(device.memory().unmap(address, size_bytes), Status::kInvalidValue);
  });
}

WAVETANK_API Status hipMemSetAccess(void* address, std::size_t size_bytes,
                                    const abi::MemAccessDescriptor* wanted, std::size_t count) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (address == nullptr || size_bytes == 0 || wanted == nullptr || count == 0) {
      return Status::kInvalidValue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      VirtualDevice* const user = device_at(wanted[i].location);
      if (user == nullptr || !is_access(wanted[i].flags)) return Status::kInvalidValue;
      if (wanted[i].flags != 3) synchronize_all();
      const auto set = device.memory().set_access(address, size_bytes, user->ordinal(),
                                                  static_cast<Access>(wanted[i].flags));
      if (!set) return Status::kInvalidValue;
    }
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemGetAccess(unsigned long long* flags, const abi::MemLocation* location,
                                    void* address) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (flags == nullptr || location == nullptr || address == nullptr) {
      return Status::kInvalidValue;
    }
    VirtualDevice* const user = device_at(*location);
    if (user == nullptr) return Status::kInvalidValue;
    const auto access = device.memory().access_at(address, user->ordinal());
    if (!access) return Status::kInvalidValue;
    *flags = static_cast<unsigned long long>(*access);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemExportToShareableHandle(void* target, MemoryHandle* handle,
                                                  MemHandleType type, unsigned long long flags) {
  return api::call([&] {
    const MemoryHandle known = memory_handle(handle);
    if (target == nullptr || known.held == nullptr || flags != 0) return Status::kInvalidValue;
    if (type != MemHandleType::kPosixFileDescriptor ||
        known.properties.requested_handle_type != type) {
      return Status::kInvalidValue;
    }
    return export_descriptor(known.held->descriptor(), target) ? Status::kSuccess
                                                               : Status::kInvalidValue;
  });
}

WAVETANK_API Status hipMemImportFromShareableHandle(MemoryHandle** handle, void* given,
                                                    MemHandleType type) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (handle == nullptr || given == nullptr) return Status::kInvalidValue;
    if (type != MemHandleType::kPosixFileDescriptor) return Status::kInvalidValue;
    const auto descriptor = imported_descriptor(given);
    if (!descriptor) return Status::kInvalidValue;
    auto pages = machine::PhysicalMemory::adopt(*descriptor);
    if (!pages) return Status::kInvalidValue;
    MemAllocationProperties properties{};
    properties.type = abi::MemAllocationType::kPinned;
    properties.requested_handle_type = type;
    properties.location = {abi::MemLocationType::kDevice, device.ordinal()};
    *handle = add_memory_handle(std::move(*pages), properties);
    return Status::kSuccess;
  });
}

// Sparse arrays, which CDNA devices have not.
WAVETANK_API Status hipMemMapArrayAsync(const void* maps, unsigned count, void*) {
  return api::call([&] {
    return maps == nullptr || count == 0 ? Status::kInvalidValue : Status::kNotSupported;
  });
}
