// HIP API: devices, their properties, limits and flags.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "hip/abi/generation.hpp"
#include "hip/api/entry.hpp"
#include "hip/runtime/memory/memory_pool.hpp"
#include "hip/runtime/properties.hpp"
#include "target/board.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

/// Runs body(VirtualDevice&) for an ordinal; without any device hipErrorNoDevice,
/// hipErrorInvalidDevice for an ordinal that is none.
template <class Body>
Status call_with_device_at(int ordinal, Body body) {
  return api::call([&] {
    Runtime& runtime = Runtime::instance();
    if (runtime.device_count() == 0) return Status::kNoDevice;
    VirtualDevice* device = runtime.device(ordinal);
    return device == nullptr ? Status::kInvalidDevice : body(*device);
  });
}

enum class Limit : int { kStackSize = 0, kPrintfFifoSize = 1, kMallocHeapSize = 2 };

/// What a work-item's scratch can be: 2^21 - 256 dwords for each wave (COMPUTE_TMPRING_SIZE).
constexpr std::size_t kMostStackBytes = 128 * 1024 - 16;
constexpr std::size_t kStackGranuleBytes = 16;

/// A number beyond the last limit is an invalid value; any other that is no limit, or one that a
/// device does not have, is an unsupported limit (AMD's unit tests ask for both).
bool is_beyond_limits(Limit limit) {
  return static_cast<int>(limit) > static_cast<int>(Limit::kMallocHeapSize);
}

/// Attributes that are addresses: `value` has room for a pointer.
bool is_address(abi::DeviceAttribute attribute) {
  return attribute == abi::DeviceAttribute::kHdpMemFlushCntl ||
         attribute == abi::DeviceAttribute::kHdpRegFlushCntl;
}

/// How well a device matches wished-for properties: members that are set and met.
int match_count(const abi::PropertiesR0600& wish, const abi::PropertiesR0600& have) {
  int matches = 0;
  if (wish.major != 0 && have.major >= wish.major) ++matches;
  if (wish.minor != 0 && have.minor >= wish.minor) ++matches;
  if (wish.totalGlobalMem != 0 && have.totalGlobalMem >= wish.totalGlobalMem) ++matches;
  if (wish.maxThreadsPerBlock != 0 && have.maxThreadsPerBlock >= wish.maxThreadsPerBlock) ++matches;
  if (wish.multiProcessorCount != 0 && have.multiProcessorCount >= wish.multiProcessorCount) {
    ++matches;
  }
  if (wish.warpSize != 0 && have.warpSize == wish.warpSize) ++matches;
  return matches;
}

Status choose_device(int* ordinal, const abi::PropertiesR0600& wish) {
  Runtime& runtime = Runtime::instance();
  if (runtime.device_count() == 0) return Status::kNoDevice;
  int best = -1;
  for (int i = 0; i < runtime.device_count(); ++i) {
    const int matches = match_count(wish, properties_of(*runtime.device(i)));
    if (matches > best) {
      best = matches;
      *ordinal = i;
    }
  }
  return Status::kSuccess;
}

}  // namespace

WAVETANK_API Status hipInit(unsigned flags) {
  return api::call([&] {
    if (flags != 0) return Status::kInvalidValue;
    return Runtime::instance().device_count() == 0 ? Status::kNoDevice : Status::kSuccess;
  });
}

WAVETANK_API Status hipDriverGetVersion(int* version) {
  return api::call([&] {
    if (version == nullptr) return Status::kInvalidValue;
    *version = abi::generation.runtime_version;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipRuntimeGetVersion(int* version) { return hipDriverGetVersion(version); }

WAVETANK_API Status hipGetDeviceCount(int* count) {
  return api::call([&] {
    if (count == nullptr) return Status::kInvalidValue;
    *count = Runtime::instance().device_count();
    return *count == 0 ? Status::kNoDevice : Status::kSuccess;
  });
}

WAVETANK_API Status hipSetDevice(int ordinal) {
  return call_with_device_at(ordinal, [&](VirtualDevice&) {
    Runtime::set_current_ordinal(ordinal);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipSetValidDevices(int* ordinals, int count) {
  return api::call([&] {
    if (count < 0 || (count > 0 && ordinals == nullptr)) return Status::kInvalidValue;
    Runtime& runtime = Runtime::instance();
    for (int i = 0; i < count; ++i) {
      if (runtime.device(ordinals[i]) == nullptr) return Status::kInvalidDevice;
    }
    if (count > 0) Runtime::set_current_ordinal(ordinals[0]);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGetDevice(int* ordinal) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (ordinal == nullptr) return Status::kInvalidValue;
    *ordinal = device.ordinal();
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceGet(int* device, int ordinal) {
  return call_with_device_at(ordinal, [&](VirtualDevice&) {
    if (device == nullptr) return Status::kInvalidValue;
    *device = ordinal;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGetDevicePropertiesR0600(abi::PropertiesR0600* properties, int ordinal) {
  return call_with_device_at(ordinal, [&](VirtualDevice& device) {
    if (properties == nullptr) return Status::kInvalidValue;
    *properties = properties_of(device);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGetDevicePropertiesR0000(abi::PropertiesR0000* properties, int ordinal) {
  return call_with_device_at(ordinal, [&](VirtualDevice& device) {
    if (properties == nullptr) return Status::kInvalidValue;
    *properties = to_r0000(properties_of(device));
    return Status::kSuccess;
  });
}

// The unsuffixed name is the old layout in every generation: ROCm 6's headers rename their own.
WAVETANK_API Status hipGetDeviceProperties(abi::PropertiesR0000* properties, int ordinal) {
  return hipGetDevicePropertiesR0000(properties, ordinal);
}

WAVETANK_API Status hipChooseDeviceR0600(int* ordinal, const abi::PropertiesR0600* wish) {
  return api::call([&] {
    if (ordinal == nullptr || wish == nullptr) return Status::kInvalidValue;
    return choose_device(ordinal, *wish);
  });
}

WAVETANK_API Status hipChooseDeviceR0000(int* ordinal, const abi::PropertiesR0000* wish) {
  return api::call([&] {
    if (ordinal == nullptr || wish == nullptr) return Status::kInvalidValue;
    abi::PropertiesR0600 converted{};
    converted.major = wish->major;
    converted.minor = wish->minor;
    converted.totalGlobalMem = wish->totalGlobalMem;
    converted.maxThreadsPerBlock = wish->maxThreadsPerBlock;
    converted.multiProcessorCount = wish->multiProcessorCount;
    converted.warpSize = wish->warpSize;
    return choose_device(ordinal, converted);
  });
}

WAVETANK_API Status hipChooseDevice(int* ordinal, const abi::PropertiesR0000* wish) {
  return hipChooseDeviceR0000(ordinal, wish);
}

WAVETANK_API Status hipDeviceGetAttribute(int* value, abi::DeviceAttribute attribute, int ordinal) {
  return call_with_device_at(ordinal, [&](VirtualDevice& device) {
    if (value == nullptr) return Status::kInvalidValue;
    if (is_address(attribute)) {
      const abi::PropertiesR0600 properties = properties_of(device);
      const unsigned* const address = attribute == abi::DeviceAttribute::kHdpMemFlushCntl
                                          ? properties.hdpMemFlushCntl
                                          : properties.hdpRegFlushCntl;
      std::memcpy(value, &address, sizeof address);
      return Status::kSuccess;
    }
    const auto found = attribute_of(device, attribute);
    if (!found) return Status::kInvalidValue;
    *value = *found;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceGetName(char* name, int length, int ordinal) {
  return call_with_device_at(ordinal, [&](VirtualDevice& device) {
    if (name == nullptr || length <= 0) return Status::kInvalidValue;
    std::snprintf(name, static_cast<std::size_t>(length), "%s",
                  device.description().marketing_name.c_str());
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceGetUuid(abi::Uuid* uuid, int ordinal) {
  return call_with_device_at(ordinal, [&](VirtualDevice& device) {
    if (uuid == nullptr) return Status::kInvalidValue;
    *uuid = properties_of(device).uuid;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceTotalMem(std::size_t* size_bytes, int ordinal) {
  return call_with_device_at(ordinal, [&](VirtualDevice& device) {
    if (size_bytes == nullptr) return Status::kInvalidValue;
    *size_bytes = device.description().memory_bytes;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceComputeCapability(int* major, int* minor, int ordinal) {
  return call_with_device_at(ordinal, [&](VirtualDevice& device) {
    if (major == nullptr || minor == nullptr) return Status::kInvalidValue;
    const abi::PropertiesR0600 properties = properties_of(device);
    *major = properties.major;
    *minor = properties.minor;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceGetPCIBusId(char* text, int length, int ordinal) {
  return call_with_device_at(ordinal, [&](VirtualDevice& device) {
    if (text == nullptr || length <= 0) return Status::kInvalidValue;
    const wavetank::target::PciAddress pci = wavetank::target::pci_address(device.slot());
    std::snprintf(text, static_cast<std::size_t>(length), "%04x:%02x:%02x.0", pci.domain, pci.bus,
                  pci.device);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceGetByPCIBusId(int* ordinal, const char* text) {
  return api::call([&] {
    if (ordinal == nullptr || text == nullptr) return Status::kInvalidValue;
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned slot = 0;
    if (std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3) return Status::kInvalidValue;
    Runtime& runtime = Runtime::instance();
    for (int i = 0; i < runtime.device_count(); ++i) {
      const wavetank::target::PciAddress pci =
          wavetank::target::pci_address(runtime.device(i)->slot());
      if (pci.domain != static_cast<int>(domain) || pci.bus != static_cast<int>(bus)) continue;
      *ordinal = i;
      return Status::kSuccess;
    }
    return Status::kInvalidValue;
  });
}

WAVETANK_API Status hipDeviceSynchronize() {
  return api::call_with_device([](VirtualDevice& device) {
    const Status status = check_device_synchronize();
    if (status != Status::kSuccess) return status;
    Runtime::instance().streams(device).synchronize();
    trim_pools(device);
    return device.sticky_status();
  });
}

WAVETANK_API Status hipDeviceReset() {
  return api::call_with_device([](VirtualDevice& device) {
    Runtime::instance().streams(device).synchronize();
    device.set_sticky_status(Status::kSuccess);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDeviceGetLimit(std::size_t* value, Limit limit) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (value == nullptr || is_beyond_limits(limit)) return Status::kInvalidValue;
    switch (limit) {
      case Limit::kStackSize: *value = device.stack_limit_bytes; return Status::kSuccess;
      case Limit::kMallocHeapSize: *value = device.heap_limit_bytes; return Status::kSuccess;
      case Limit::kPrintfFifoSize: break;  // as in AMD's runtime
    }
    return Status::kUnsupportedLimit;
  });
}

// A kernel gets the stack that it needs: its limit is a number to keep.
WAVETANK_API Status hipDeviceSetLimit(Limit limit, std::size_t value) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (is_beyond_limits(limit)) return Status::kInvalidValue;
    switch (limit) {
      case Limit::kMallocHeapSize:
        if (value > device.description().memory_bytes) return Status::kInvalidValue;
        device.heap_limit_bytes = value;
        return Status::kSuccess;
      case Limit::kStackSize:
        if (value > kMostStackBytes) return Status::kInvalidValue;
        device.stack_limit_bytes =
            (value + kStackGranuleBytes - 1) / kStackGranuleBytes * kStackGranuleBytes;
        return Status::kSuccess;
      case Limit::kPrintfFifoSize: break;
    }
    return Status::kUnsupportedLimit;
  });
}

WAVETANK_API Status hipSetDeviceFlags(unsigned flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    constexpr unsigned kKnown = abi::kDeviceScheduleMask | abi::kDeviceMapHost |
                                abi::kDeviceLmemResizeToMax | abi::kDeviceLmemResizeToMax5;
    if ((flags & ~kKnown) != 0) return Status::kInvalidValue;
    const unsigned schedule = flags & abi::kDeviceScheduleMask;
    if (schedule > 4 || schedule == 3) return Status::kInvalidValue;
    // Mapped host memory and the size of the stack are as they are: AMD's runtime forgets them too.
    device.flags = schedule;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGetDeviceFlags(unsigned* flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (flags == nullptr) return Status::kInvalidValue;
    *flags = device.flags;
    return Status::kSuccess;
  });
}

// CDNA has one split of LDS and cache; HIP accepts every preference and has none to change.
WAVETANK_API Status hipDeviceSetCacheConfig(int preference) {
  return api::call(
      [&] { return preference < 0 || preference > 3 ? Status::kInvalidValue : Status::kSuccess; });
}
WAVETANK_API Status hipDeviceGetCacheConfig(int* preference) {
  return api::call([&] {
    if (preference == nullptr) return Status::kInvalidValue;
    *preference = 0;
    return Status::kSuccess;
  });
}
WAVETANK_API Status hipDeviceSetSharedMemConfig(int bank_size) {
  return api::call(
      [&] { return bank_size < 0 || bank_size > 2 ? Status::kInvalidValue : Status::kSuccess; });
}
WAVETANK_API Status hipDeviceGetSharedMemConfig(int* bank_size) {
  return api::call([&] {
    if (bank_size == nullptr) return Status::kInvalidValue;
    *bank_size = 1;  // four bytes
    return Status::kSuccess;
  });
}
