// Devices by name: the built-in ones, and those of files.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "target/device.hpp"

namespace wavetank::target {

/// A built-in device by name, or a user's own description by path (anything with ".toml").
/// Errors: kBadDevice, kFileUnreadable; a number without unit, kind and source is refused.
Result<Device> load_device(std::string_view name_or_path);

/// The first built-in device with this processor. Errors: kBadDevice.
Result<Device> default_device_for(std::string_view gfx);

}  // namespace wavetank::target
