// HIP API: advice about managed memory. There is one copy of it, which host and devices share, so
// advice is checked and has no effect, and a prefetch is done when the stream comes to it.
#include <cstdint>
#include <cstring>

#include "hip/api/entry.hpp"
#include "hip/runtime/allocation.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::Status;
using wavetank::machine::MemoryKind;

namespace {

constexpr int kCpuDeviceId = -1;
constexpr int kInvalidDeviceId = -2;

/// hipMemRangeAttribute.
enum class RangeAttribute : int {
  kReadMostly = 1,
  kPreferredLocation = 2,
  kAccessedBy = 3,
  kLastPrefetchLocation = 4,
  kCoherencyMode = 100,
};

bool is_location(int device) {
  return device == kCpuDeviceId || Runtime::instance().device(device) != nullptr;
}

bool is_advice(int advice) {
  return (advice >= 1 && advice <= 6) || advice == 100 || advice == 101;
}

Status check_managed(VirtualDevice& device, const void* pointer, std::size_t size_bytes) {
  if (pointer == nullptr || size_bytes == 0) return Status::kInvalidValue;
  const auto allocation = device.memory().find(pointer);
  if (!allocation) return device.xnack() ? Status::kSuccess : Status::kInvalidValue;
  const bool managed = memory_type_at(*allocation) == abi::MemoryType::kManaged;
  const bool inside = range_is_valid(device.memory(), pointer, size_bytes);
  return managed && inside ? Status::kSuccess : Status::kInvalidValue;
}

Status range_attribute(void* data, std::size_t data_bytes, RangeAttribute attribute) {
  if (data == nullptr || data_bytes < sizeof(std::int32_t)) return Status::kInvalidValue;
  std::memset(data, 0, data_bytes);
  const auto give = [&](std::int32_t value) {
    std::memcpy(data, &value, sizeof value);
    return Status::kSuccess;
  };
  switch (attribute) {
    case RangeAttribute::kReadMostly: return give(0);
    case RangeAttribute::kPreferredLocation:
    case RangeAttribute::kAccessedBy:
    case RangeAttribute::kLastPrefetchLocation: return give(kInvalidDeviceId);
    case RangeAttribute::kCoherencyMode: return give(0);
  }
  return Status::kInvalidValue;
}

Status prefetch(const void* pointer, std::size_t size_bytes, int location, void* stream_handle) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    if (!is_location(location)) return Status::kInvalidDevice;
    const Status status = check_managed(stream.device(), pointer, size_bytes);
    if (status != Status::kSuccess) return status;
    return submit_operation(stream, MarkerOperation{}, Blocking::kNo);
  });
}

Status advise(const void* pointer, std::size_t size_bytes, int advice, int location) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (!is_advice(advice)) return Status::kInvalidValue;
    if (!is_location(location)) return Status::kInvalidDevice;
    return check_managed(device, pointer, size_bytes);
  });
}

/// hipMemLocation of ROCm 7: device 1, host 2 (and its NUMA forms 3, 4).
int location_id(const abi::MemLocation& location) {
  return location.type == abi::MemLocationType::kDevice ? location.id : kCpuDeviceId;
}

}  // namespace

WAVETANK_API Status hipMemAdvise(const void* pointer, std::size_t size_bytes, int advice,
                                 int device) {
  return advise(pointer, size_bytes, advice, device);
}

WAVETANK_API Status hipMemAdvise_v2(const void* pointer, std::size_t size_bytes, int advice,
                                    abi::MemLocation location) {
  return advise(pointer, size_bytes, advice, location_id(location));
}

WAVETANK_API Status hipMemPrefetchAsync(const void* pointer, std::size_t size_bytes, int device,
                                        void* stream) {
  return prefetch(pointer, size_bytes, device, stream);
}

WAVETANK_API Status hipMemPrefetchAsync_v2(const void* pointer, std::size_t size_bytes,
                                           abi::MemLocation location, unsigned, void* stream) {
  return prefetch(pointer, size_bytes, location_id(location), stream);
}

WAVETANK_API Status hipMemRangeGetAttribute(void* data, std::size_t data_bytes,
                                            RangeAttribute attribute, const void* pointer,
                                            std::size_t size_bytes) {
  return api::call_with_device([&](VirtualDevice& device) {
    const Status status = check_managed(device, pointer, size_bytes);
    if (status != Status::kSuccess) return status;
    return range_attribute(data, data_bytes, attribute);
  });
}

WAVETANK_API Status hipMemRangeGetAttributes(void** data, std::size_t* data_bytes,
                                             RangeAttribute* attributes, std::size_t count,
                                             const void* pointer, std::size_t size_bytes) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (data == nullptr || data_bytes == nullptr || attributes == nullptr || count == 0) {
      return Status::kInvalidValue;
    }
    Status status = check_managed(device, pointer, size_bytes);
    for (std::size_t i = 0; i < count && status == Status::kSuccess; ++i) {
      status = range_attribute(data[i], data_bytes[i], attributes[i]);
    }
    return status;
  });
}

WAVETANK_API Status hipStreamAttachMemAsync(void* stream_handle, void* pointer,
                                            std::size_t size_bytes, unsigned flags) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    if (flags != abi::kMemAttachGlobal && flags != abi::kMemAttachHost &&
        flags != abi::kMemAttachSingle) {
      return Status::kInvalidValue;
    }
    if (flags == abi::kMemAttachSingle && stream_handle == nullptr) return Status::kInvalidValue;
    const auto allocation = stream.device().memory().find(pointer);
    if (!allocation || allocation->kind != MemoryKind::kManaged) return Status::kInvalidValue;
    if (size_bytes != 0 && size_bytes != allocation->size_bytes) return Status::kInvalidValue;
    return submit_operation(stream, MarkerOperation{}, Blocking::kNo);
  });
}
