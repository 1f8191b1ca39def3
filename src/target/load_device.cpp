#include "target/load_device.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "target/builtin_devices.hpp"
#include "target/device_file.hpp"

namespace wavetank::target {
namespace {

/// "gfx90a (mi210, mi250x) and gfx942 (mi300x, mi300a)".
std::string known_processors() {
  std::vector<std::string> processors;
  for (const isa::Target& target : isa::targets()) {
    std::vector<std::string> names;
    for (const std::string& name : builtin_device_names()) {
      const Result<Device> device = load_device(name);
      if (device && *device->target == target) names.push_back(name);
    }
    processors.push_back(fmt::format("{} ({})", target.name, fmt::join(names, ", ")));
  }
  return fmt::format("{}", fmt::join(processors, " and "));
}

Result<Device> load_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fail(ErrorCode::kFileUnreadable, fmt::format("cannot read {}", path), path,
                fmt::format("the built-in devices are {}", builtin_device_list()));
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse_device(text, path);
}

}  // namespace

Result<Device> load_device(std::string_view name_or_path) {
  for (const EmbeddedFile& file : builtin_devices()) {
    if (file.name == name_or_path) {
      return parse_device(file.text, fmt::format("devices/{}.toml", file.name));
    }
  }
  if (name_or_path.find(".toml") != std::string_view::npos) {
    return load_file(std::string(name_or_path));
  }
  return fail(
      ErrorCode::kBadDevice, fmt::format("there is no device \"{}\"", name_or_path), {},
      fmt::format("the devices are {}, or the path of a .toml file", builtin_device_list()));
}

Result<Device> default_device_for(std::string_view gfx) {
  for (const EmbeddedFile& file : builtin_devices()) {
    Result<Device> device = parse_device(file.text, fmt::format("devices/{}.toml", file.name));
    if (!device || device->gfx() == gfx) return device;
  }
  return fail(ErrorCode::kBadDevice, fmt::format("no built-in device runs {}", gfx), {},
              fmt::format("Wavetank runs {}", known_processors()));
}

}  // namespace wavetank::target
