// The devices that are compiled in.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/embedded_file.hpp"

namespace wavetank::target {

/// The texts of devices/*.toml by the devices' names, in the order they are listed.
std::span<const EmbeddedFile> builtin_devices();
/// Their names: mi210, mi250x, mi300x, mi300a.
std::vector<std::string> builtin_device_names();
/// The same in one line: "mi210, mi250x, mi300x, mi300a".
std::string builtin_device_list();

}  // namespace wavetank::target
