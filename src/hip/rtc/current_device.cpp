#include "hip/rtc/current_device.hpp"

#include <dlfcn.h>

#include <filesystem>

#include <fmt/format.h>

#include "hip/abi/device_properties.hpp"
#include "hip/abi/generation.hpp"
#include "hip/rtc/own_library.hpp"

namespace wavetank::hip::rtc {
namespace {

void* runtime_library() {
  const std::string name = fmt::format("libamdhip64.so.{}", abi::generation.major);
  if (void* loaded = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD)) return loaded;
  const std::filesystem::path beside = own_library().parent_path() / name;
  return dlopen(beside.c_str(), RTLD_LAZY);
}

template <class Properties>
std::optional<std::string> target_id_by(void* function, int ordinal) {
  using GetProperties = int (*)(Properties*, int);
  Properties properties{};
  if (reinterpret_cast<GetProperties>(function)(&properties, ordinal) != 0) return std::nullopt;
  return std::string(properties.gcnArchName);
}

}  // namespace

std::optional<std::string> current_target_id() {
  void* runtime = runtime_library();
  if (runtime == nullptr) return std::nullopt;
  using GetDevice = int (*)(int*);
  auto* get_device = reinterpret_cast<GetDevice>(dlsym(runtime, "hipGetDevice"));
  int ordinal = 0;
  if (get_device == nullptr || get_device(&ordinal) != 0) return std::nullopt;
  if (void* function = dlsym(runtime, "hipGetDevicePropertiesR0600")) {
    return target_id_by<abi::PropertiesR0600>(function, ordinal);
  }
  void* function = dlsym(runtime, "hipGetDeviceProperties");
  if (function == nullptr) return std::nullopt;
  return target_id_by<abi::PropertiesR0000>(function, ordinal);
}

}  // namespace wavetank::hip::rtc
