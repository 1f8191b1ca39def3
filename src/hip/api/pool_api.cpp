// HIP API: stream-ordered allocation.
#include "hip/api/entry.hpp"
#include "hip/runtime/memory/deallocation.hpp"
#include "hip/runtime/memory/memory_pool.hpp"
#include "hip/runtime/memory/pool_allocation.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

/// Runs body() for a live pool.
template <class Body>
Status call_with_pool(MemoryPool* pool, Body body) {
  return api::call([&] { return is_pool(pool) ? body() : Status::kInvalidValue; });
}

constexpr std::int32_t kAccessNone = 0;
constexpr std::int32_t kAccessReadWrite = 3;

}  // namespace

WAVETANK_API Status hipMallocAsync(void** address, std::size_t size_bytes, void* stream_handle) {
  return api::call_with_valid_stream(stream_handle, [&](Stream& stream) {
    if (address == nullptr) return Status::kInvalidValue;
    MemoryPool& pool = current_pool(stream.device());
    if (const auto capture = stream.capture()) {
      return capture->allocate(stream, pool, address, size_bytes);
    }
    return allocate_from_pool(pool, address, size_bytes, stream);
  });
}

WAVETANK_API Status hipMallocFromPoolAsync(void** address, std::size_t size_bytes, MemoryPool* pool,
                                           void* stream_handle) {
  return api::call_with_valid_stream(stream_handle, [&](Stream& stream) {
    if (address == nullptr || !is_pool(pool)) return Status::kInvalidValue;
    if (const auto capture = stream.capture()) {
      return capture->allocate(stream, *pool, address, size_bytes);
    }
    return allocate_from_pool(*pool, address, size_bytes, stream);
  });
}

WAVETANK_API Status hipFreeAsync(void* address, void* stream_handle) {
  return api::call_with_valid_stream(stream_handle, [&](Stream& stream) {
    if (address == nullptr) return Status::kInvalidValue;
    if (const auto capture = stream.capture()) return capture->free(stream, address);
    return free_in_stream(address, stream);
  });
}

WAVETANK_API Status hipDeviceGetDefaultMemPool(MemoryPool** pool, int ordinal) {
  return api::call_with_ordinal(ordinal, [&](VirtualDevice& device) {
    if (pool == nullptr) return Status::kInvalidValue;
    *pool = &default_pool(device);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceGetMemPool(MemoryPool** pool, int ordinal) {
  return api::call_with_ordinal(
      ordinal,
      [&](VirtualDevice& device) {
        if (pool == nullptr) return Status::kInvalidValue;
        *pool = &current_pool(device);
        return Status::kSuccess;
      },
      Status::kInvalidValue);
}

WAVETANK_API Status hipDeviceSetMemPool(int ordinal, MemoryPool* pool) {
  return api::call_with_ordinal(
      ordinal,
      [&](VirtualDevice& device) {
        if (!is_pool(pool) || &pool->device() != &device) return Status::kInvalidValue;
        set_current_pool(device, *pool);
        return Status::kSuccess;
      },
      Status::kInvalidValue);
}

WAVETANK_API Status hipMemPoolCreate(MemoryPool** pool, const abi::MemPoolProperties* wanted) {
  return api::call([&] {
    if (pool == nullptr || wanted == nullptr) return Status::kInvalidValue;
    if (wanted->location.type != abi::MemLocationType::kDevice) return Status::kInvalidValue;
    VirtualDevice* device = Runtime::instance().device(wanted->location.id);
    if (device == nullptr) return Status::kInvalidValue;
    if (wanted->allocation_type != static_cast<int>(abi::MemAllocationType::kPinned)) {
      return Status::kInvalidValue;
    }
    *pool = &create_pool(*device, wanted->max_size,
                         static_cast<abi::MemHandleType>(wanted->handle_types));
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemPoolDestroy(MemoryPool* pool) {
  return api::call([&] { return destroy_pool(pool) ? Status::kSuccess : Status::kInvalidValue; });
}

WAVETANK_API Status hipMemPoolTrimTo(MemoryPool* pool, std::size_t bytes_to_keep) {
  return call_with_pool(pool, [&] {
    pool->trim(bytes_to_keep);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemPoolGetAttribute(MemoryPool* pool, PoolAttribute attribute, void* value) {
  return call_with_pool(pool, [&] {
    return value == nullptr ? Status::kInvalidValue : pool->attribute(attribute, value);
  });
}

WAVETANK_API Status hipMemPoolSetAttribute(MemoryPool* pool, PoolAttribute attribute, void* value) {
  return call_with_pool(pool, [&] {
    return value == nullptr ? Status::kInvalidValue : pool->set_attribute(attribute, value);
  });
}

// Every device of the process reaches every pool.
WAVETANK_API Status hipMemPoolSetAccess(MemoryPool* pool, const abi::MemAccessDescriptor* wanted,
                                        std::size_t count) {
  return call_with_pool(pool, [&] {
    if (wanted == nullptr) return Status::kInvalidValue;
    if (count > static_cast<std::size_t>(Runtime::instance().device_count())) {
      return Status::kInvalidDevice;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (wanted[i].location.type != abi::MemLocationType::kDevice) return Status::kInvalidValue;
      VirtualDevice* device = Runtime::instance().device(wanted[i].location.id);
      if (device == nullptr || wanted[i].flags == kAccessNone) return Status::kInvalidDevice;
      if (wanted[i].flags > kAccessReadWrite) return Status::kInvalidValue;
    }
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemPoolGetAccess(std::int32_t* flags, MemoryPool* pool,
                                        abi::MemLocation* location) {
  return call_with_pool(pool, [&] {
    if (flags == nullptr || location == nullptr) return Status::kInvalidValue;
    if (location->type != abi::MemLocationType::kDevice) return Status::kInvalidValue;
    if (Runtime::instance().device(location->id) == nullptr) return Status::kInvalidValue;
    *flags = kAccessReadWrite;
    return Status::kSuccess;
  });
}
