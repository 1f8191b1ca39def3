// Structures of launches with attributes (hip_runtime_api.h since ROCm 6.5).
#pragma once

#include <cstddef>
#include <cstdint>

#include "hip/abi/graph_types.hpp"
#include "hip/abi/types.hpp"

namespace wavetank::hip::abi {

/// hipLaunchAttribute: the value is a union of 64 bytes.
struct LaunchSetting {
  LaunchAttribute id;
  std::int32_t padding;
  union {
    std::int32_t cooperative;
    std::int32_t priority;
    unsigned char bytes[64];
  } value;
};
static_assert(sizeof(LaunchSetting) == 72);

/// hipLaunchConfig_t.
struct LaunchConfiguration {
  Dim3 grid;
  Dim3 block;
  std::size_t dynamic_lds_bytes;
  void* stream;
  const LaunchSetting* attributes;
  std::uint32_t attribute_count;
};

/// HIP_LAUNCH_CONFIG.
struct DriverLaunchConfiguration {
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_lds_bytes;
  void* stream;
  const LaunchSetting* attributes;
  std::uint32_t attribute_count;
};
static_assert(sizeof(LaunchConfiguration) == 56 && sizeof(DriverLaunchConfiguration) == 56);

}  // namespace wavetank::hip::abi
