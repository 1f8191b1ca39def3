#include "target/builtin_devices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wavetank::target {

std::vector<std::string> builtin_device_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : builtin_devices()) names.emplace_back(file.name);
  return names;
}

std::string builtin_device_list() {
  return fmt::format("{}", fmt::join(builtin_device_names(), ", "));
}

}  // namespace wavetank::target
