#include "smi/process_runtime.hpp"

#include <dlfcn.h>

namespace wavetank::smi {
namespace {

constexpr int kHipSuccess = 0;
constexpr const char* kRuntimeOfRocm5 = "libamdhip64.so.5";

/// The HIP runtime that is loaded, also as a plug-in whose symbols are its own; or nullptr.
void* loaded_runtime() {
  for (const char* soname : {"libamdhip64.so.7", "libamdhip64.so.6", kRuntimeOfRocm5}) {
    void* library = dlopen(soname, RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) continue;
    dlclose(library);  // the count that this call added: who loaded it keeps it
    return library;
  }
  return nullptr;
}

/// A function of the process's HIP runtime, or nullptr. Its status type is an int-sized enum.
template <class... Arguments>
auto hip_function(const char* name) {
  void* library = loaded_runtime();
  return library == nullptr ? nullptr
                            : reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
}

}  // namespace

bool has_runtime_of_rocm5() {
  void* library = dlopen(kRuntimeOfRocm5, RTLD_NOW | RTLD_NOLOAD);
  if (library != nullptr) dlclose(library);
  return library != nullptr;
}

std::vector<std::string> hip_device_names() {
  const auto count_devices = hip_function<int*>("hipGetDeviceCount");
  const auto name_device = hip_function<char*, int, int>("hipDeviceGetName");
  int count = 0;
  if (count_devices == nullptr || name_device == nullptr || count_devices(&count) != kHipSuccess) {
    return {};
  }
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    char name[256] = {};
    if (name_device(name, sizeof name, i) != kHipSuccess) return {};
    names.emplace_back(name);
  }
  return names;
}

std::optional<std::uint64_t> hip_used_bytes(const std::string& pci_bus_id) {
  const auto find = hip_function<int*, const char*>("hipDeviceGetByPCIBusId");
  const auto current = hip_function<int*>("hipGetDevice");
  const auto choose = hip_function<int>("hipSetDevice");
  const auto ask = hip_function<std::size_t*, std::size_t*>("hipMemGetInfo");
  int device = 0;
  int before = 0;
  if (find == nullptr || current == nullptr || choose == nullptr || ask == nullptr ||
      find(&device, pci_bus_id.c_str()) != kHipSuccess || current(&before) != kHipSuccess ||
      choose(device) != kHipSuccess) {
    return std::nullopt;
  }
  std::size_t free = 0;
  std::size_t total = 0;
  const int status = ask(&free, &total);
  choose(before);
  if (status != kHipSuccess) return std::nullopt;
  return total - free;
}

}  // namespace wavetank::smi
