// HIP API: advice about managed memory. What is checked, and in which order, follows AMD's runtime
// (ROCm/clr, hip_hmm.cpp).
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "hip/api/entry.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/memory_advice.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::Status;
using wavetank::machine::MemoryKind;

namespace {

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

bool is_advice(Advice advice) {
  return (advice >= Advice::kSetReadMostly && advice <= Advice::kUnsetAccessedBy) ||
         advice == Advice::kSetCoarseGrain || advice == Advice::kUnsetCoarseGrain;
}

/// Pages that are read mostly are so on every device: none is named.
bool names_location(Advice advice) {
  return advice != Advice::kSetReadMostly && advice != Advice::kUnsetReadMostly;
}

Status check_managed(VirtualDevice& device, const void* pointer, std::size_t size_bytes) {
  if (pointer == nullptr || size_bytes == 0) return Status::kInvalidValue;
  const auto allocation = device.memory().find(pointer);
  if (!allocation) return device.xnack() ? Status::kSuccess : Status::kInvalidValue;
  const bool managed = memory_type_at(*allocation) == abi::MemoryType::kManaged;
  const bool inside = range_is_valid(device.memory(), pointer, size_bytes);
  return managed && inside ? Status::kSuccess : Status::kInvalidValue;
}

/// Devices in order, then the host; places that are left are no device.
void list_locations(const std::set<int>& locations, std::span<std::int32_t> list) {
  std::ranges::fill(list, kInvalidDeviceId);
  auto place = list.begin();
  const auto add = [&](int location) {
    if (place != list.end()) *place++ = location;
  };
  for (const int location : locations) {
    if (location != kCpuDeviceId) add(location);
  }
  if (locations.contains(kCpuDeviceId)) add(kCpuDeviceId);
}

Status give_attribute(const PageAdvice& pages, RangeAttribute attribute, void* data,
                      std::size_t data_bytes) {
  const std::span list(static_cast<std::int32_t*>(data), data_bytes / sizeof(std::int32_t));
  if (data_bytes == 0 || data_bytes % sizeof(std::int32_t) != 0) return Status::kInvalidValue;
  if (attribute == RangeAttribute::kAccessedBy) {
    list_locations(pages.accessed_by, list);
    return Status::kSuccess;
  }
  if (list.size() != 1) return Status::kInvalidValue;
  switch (attribute) {
    case RangeAttribute::kReadMostly: list[0] = pages.read_mostly ? 1 : 0; break;
    case RangeAttribute::kPreferredLocation: list[0] = pages.preferred_location; break;
    case RangeAttribute::kLastPrefetchLocation: list[0] = pages.last_prefetch_location; break;
    case RangeAttribute::kCoherencyMode: list[0] = static_cast<int>(pages.coherency); break;
    default: return Status::kInvalidValue;
  }
  return Status::kSuccess;
}

Status range_attribute(VirtualDevice& device, void* data, std::size_t data_bytes,
                       RangeAttribute attribute, const void* pointer, std::size_t size_bytes) {
  if (data == nullptr || pointer == nullptr) return Status::kInvalidValue;
  const auto allocation = find_allocation(device.memory(), pointer);
  const bool managed = !allocation || memory_type_at(*allocation) == abi::MemoryType::kManaged;
  if (!managed && attribute == RangeAttribute::kCoherencyMode) {
    PageAdvice pages;
    pages.coherency = allocation->fine_grained ? Coherency::kFineGrain : Coherency::kCoarseGrain;
    return give_attribute(pages, attribute, data, data_bytes);
  }
  const Status status = check_managed(device, pointer, size_bytes);
  if (status != Status::kSuccess) return status;
  return give_attribute(MemoryAdvice::instance().common(pointer, size_bytes), attribute, data,
                        data_bytes);
}

/// There is nothing to move; the prefetch has its place in the stream's order all the same.
Status prefetch(const void* pointer, std::size_t size_bytes, int location, void* stream_handle) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    const Status status = check_managed(stream.device(), pointer, size_bytes);
    if (status != Status::kSuccess) return status;
    if (!is_location(location)) return Status::kInvalidDevice;
    const Status submitted = submit_operation(stream, MarkerOperation{}, Blocking::kNo);
    if (submitted != Status::kSuccess) return submitted;
    MemoryAdvice::instance().prefetch(pointer, size_bytes, location);
    return Status::kSuccess;
  });
}

Status advise(const void* pointer, std::size_t size_bytes, Advice advice, int location) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (!is_advice(advice)) return Status::kInvalidValue;
    if (names_location(advice) && !is_location(location)) return Status::kInvalidDevice;
    const Status status = check_managed(device, pointer, size_bytes);
    if (status != Status::kSuccess) return status;
    MemoryAdvice::instance().advise(pointer, size_bytes, advice, location);
    if (advice == Advice::kSetCoarseGrain || advice == Advice::kUnsetCoarseGrain) {
      const bool fine_grained = advice == Advice::kUnsetCoarseGrain;
      if (!device.memory().set_fine_grained(pointer, fine_grained)) return Status::kInvalidValue;
    }
    return Status::kSuccess;
  });
}

/// hipMemLocation of ROCm 7: device 1, host 2 (and its NUMA forms 3, 4).
int location_id(const abi::MemLocation& location) {
  return location.type == abi::MemLocationType::kDevice ? location.id : kCpuDeviceId;
}

}  // namespace

WAVETANK_API Status hipMemAdvise(const void* pointer, std::size_t size_bytes, Advice advice,
                                 int device) {
  return advise(pointer, size_bytes, advice, device);
}

WAVETANK_API Status hipMemAdvise_v2(const void* pointer, std::size_t size_bytes, Advice advice,
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
    return range_attribute(device, data, data_bytes, attribute, pointer, size_bytes);
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
      status = range_attribute(device, data[i], data_bytes[i], attributes[i], pointer, size_bytes);
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
