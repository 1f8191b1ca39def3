// What hipGetDeviceProperties and hipDeviceGetAttribute say about a virtual device.
#pragma once

#include <limits>
#include <optional>

#include "base/dim3.hpp"
#include "hip/abi/device_attribute.hpp"
#include "hip/abi/device_properties.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// What programs are told are the most blocks of a grid in x, y and z, on every device.
inline constexpr Dim3 kLargestGrid{std::numeric_limits<int>::max(), 65536, 65536};

/// The properties in the layout of ROCm 6 and 7.
abi::PropertiesR0600 properties_of(const VirtualDevice& device);
/// The same in the layout of ROCm 5.
abi::PropertiesR0000 to_r0000(const abi::PropertiesR0600& properties);
/// One attribute; empty for a number that is none or is not an integer property of AMD devices.
std::optional<int> attribute_of(const VirtualDevice& device, abi::DeviceAttribute attribute);

}  // namespace wavetank::hip
