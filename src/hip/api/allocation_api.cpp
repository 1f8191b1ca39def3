// HIP API: device, pinned, managed and pitched memory.
#include <limits>

#include "hip/api/entry.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/allocation_notes.hpp"
#include "hip/runtime/memory/deallocation.hpp"

using namespace wavetank::hip;
using abi::Status;
using wavetank::machine::MemoryKind;

namespace {

constexpr unsigned kKnownHostFlags = abi::kHostMallocPortable | abi::kHostMallocMapped |
                                     abi::kHostMallocWriteCombined | abi::kHostMallocUncached |
                                     abi::kHostMallocNumaUser | abi::kHostMallocCoherent |
                                     abi::kHostMallocNonCoherent;

Status allocate_host(void** address, std::size_t size_bytes, unsigned flags) {
  return api::call_outside_capture([&](VirtualDevice& device) {
    constexpr unsigned kBoth = abi::kHostMallocCoherent | abi::kHostMallocNonCoherent;
    if ((flags & ~kKnownHostFlags) != 0 || (flags & kBoth) == kBoth) return Status::kInvalidValue;
    return allocate_memory(device, address, size_bytes, MemoryKind::kHostPinned, flags);
  });
}

Status allocate_pitched(VirtualDevice& device, void** address, std::size_t* pitch,
                        std::size_t width_bytes, std::size_t height, std::size_t depth) {
  if (address == nullptr || pitch == nullptr) return Status::kInvalidValue;
  if (width_bytes == 0 || height == 0 || depth == 0) {
    *address = nullptr;
    *pitch = 0;
    return Status::kSuccess;
  }
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  if (width_bytes > kMost / 2) return Status::kOutOfMemory;
  *pitch = pitch_of(width_bytes);
  if (height > kMost / *pitch || depth > kMost / (*pitch * height)) return Status::kOutOfMemory;
  return allocate_memory(device, address, *pitch * height * depth, MemoryKind::kDevice);
}

}  // namespace

WAVETANK_API Status hipMalloc(void** address, std::size_t size_bytes) {
  return api::call_outside_capture([&](VirtualDevice& device) {
    return allocate_memory(device, address, size_bytes, MemoryKind::kDevice);
  });
}

// All memory is coherent here; fine-grained, uncached and signal memory are all fine-grained.
WAVETANK_API Status hipExtMallocWithFlags(void** address, std::size_t size_bytes, unsigned flags) {
  return api::call_outside_capture([&](VirtualDevice& device) {
    constexpr unsigned kSignalMemory = 0x2;
    constexpr unsigned kUncached = 0x3;
    constexpr unsigned kContiguous = 0x4;
    if (flags > kUncached && flags != kContiguous) return Status::kInvalidValue;
    if (flags == kSignalMemory && size_bytes != 8) return Status::kInvalidValue;
    return allocate_memory(device, address, size_bytes, MemoryKind::kDevice, flags);
  });
}

WAVETANK_API Status hipFree(void* address) {
  return api::call_outside_capture([&](VirtualDevice&) { return free_memory(address); });
}

WAVETANK_API Status hipHostMalloc(void** address, std::size_t size_bytes, unsigned flags) {
  return allocate_host(address, size_bytes, flags);
}
WAVETANK_API Status hipHostAlloc(void** address, std::size_t size_bytes, unsigned flags) {
  return allocate_host(address, size_bytes, flags);
}
WAVETANK_API Status hipMallocHost(void** address, std::size_t size_bytes) {
  return allocate_host(address, size_bytes, 0);
}
WAVETANK_API Status hipMemAllocHost(void** address, std::size_t size_bytes) {
  return allocate_host(address, size_bytes, 0);
}
WAVETANK_API Status hipHostFree(void* address) {
  return api::call_outside_capture([&](VirtualDevice&) { return free_memory(address); });
}
WAVETANK_API Status hipFreeHost(void* address) { return hipHostFree(address); }

WAVETANK_API Status hipMallocManaged(void** address, std::size_t size_bytes, unsigned flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (size_bytes == 0) return Status::kInvalidValue;
    if (flags != abi::kMemAttachGlobal && flags != abi::kMemAttachHost &&
        flags != abi::kMemAttachSingle) {
      return Status::kInvalidValue;
    }
    return allocate_memory(device, address, size_bytes, MemoryKind::kManaged, flags);
  });
}

WAVETANK_API Status hipMallocPitch(void** address, std::size_t* pitch, std::size_t width_bytes,
                                   std::size_t height) {
  return api::call_outside_capture([&](VirtualDevice& device) {
    return allocate_pitched(device, address, pitch, width_bytes, height, 1);
  });
}

WAVETANK_API Status hipMemAllocPitch(void** address, std::size_t* pitch, std::size_t width_bytes,
                                     std::size_t height, unsigned) {
  return hipMallocPitch(address, pitch, width_bytes, height);
}

WAVETANK_API Status hipMalloc3D(abi::PitchedPointer* pitched, abi::Extent extent) {
  return api::call_outside_capture([&](VirtualDevice& device) {
    if (pitched == nullptr) return Status::kInvalidValue;
    pitched->width = extent.width;
    pitched->height = extent.height;
    return allocate_pitched(device, &pitched->pointer, &pitched->pitch, extent.width, extent.height,
                            extent.depth);
  });
}

WAVETANK_API Status hipMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (free_bytes == nullptr || total_bytes == nullptr) return Status::kInvalidValue;
    const std::uint64_t total = device.description().memory_bytes;
    const std::uint64_t used = device.memory().used_bytes(device.ordinal());
    *total_bytes = total;
    *free_bytes = used < total ? total - used : 0;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipHostRegister(void* address, std::size_t size_bytes, unsigned flags) {
  return api::call_outside_capture([&](VirtualDevice& device) {
    if (address == nullptr || size_bytes == 0 || flags > 0xf) return Status::kInvalidValue;
    const auto known = device.memory().find(address);
    if (known && !known->registered) return Status::kHostMemoryAlreadyRegistered;
    if (!device.memory().register_host(address, size_bytes, flags)) return Status::kInvalidValue;
    constexpr unsigned kCoarseGrained = 0x8;  // hipExtHostRegisterCoarseGrained
    note_registration(address, size_bytes);
    const bool coarse_grained = (flags & kCoarseGrained) != 0;
    if (coarse_grained && !device.memory().set_fine_grained(address, false)) {
      return Status::kInvalidValue;
    }
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipHostUnregister(void* address) {
  return api::call_outside_capture([&](VirtualDevice& device) {
    if (address == nullptr) return Status::kInvalidValue;
    Runtime::instance().streams(device).synchronize();
    const auto allocation = device.memory().find(address);
    if (!device.memory().unregister_host(address)) return Status::kHostMemoryNotRegistered;
    forget_allocation(*allocation);
    note_free(address);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipHostGetDevicePointer(void** device_pointer, void* host_pointer,
                                            unsigned flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (device_pointer == nullptr || host_pointer == nullptr || flags != 0) {
      return Status::kInvalidValue;
    }
    *device_pointer = nullptr;
    if (!device.memory().find(host_pointer)) return Status::kInvalidValue;
    *device_pointer = host_pointer;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipHostGetFlags(unsigned* flags, void* host_pointer) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (flags == nullptr || host_pointer == nullptr) return Status::kInvalidValue;
    const auto allocation = device.memory().find(host_pointer);
    if (!allocation || allocation->kind != MemoryKind::kHostPinned) return Status::kInvalidValue;
    *flags = allocation->flags;
    return Status::kSuccess;
  });
}
