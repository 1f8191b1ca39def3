// HIP API: functions by name. What is found and refused follows AMD's runtime (ROCm/clr,
// hip_device.cpp and hip_device_runtime.cpp).
#include <dlfcn.h>

#include <cstdint>
#include <string>

#include "hip/api/entry.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

/// hipDriverProcAddressQueryResult and hipDriverEntryPointQueryResult.
enum class QueryResult : std::int32_t { kSuccess = 0, kSymbolNotFound = 1 };

/// The flags of both functions: HIP_GET_PROC_ADDRESS_* and hipEnable*.
constexpr std::uint64_t kDefault = 0;
constexpr std::uint64_t kPerThreadDefaultStream = 2;

/// The address of a function that this shared library exports; nullptr for any other name. It works
/// for a library that the program opened by its path as for one that it links.
void* exported(const std::string& name) {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&exported), &self) == 0) return nullptr;
  void* const library = dlopen(self.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
  if (library == nullptr) return nullptr;
  void* const found = dlsym(library, name.c_str());
  dlclose(library);
  // dlsym() also looks in the libraries that this one needs.
  Dl_info owner{};
  if (found == nullptr || dladdr(found, &owner) == 0) return nullptr;
  return owner.dli_fbase == self.dli_fbase ? found : nullptr;
}

/// The name of the function whose structures have the layout of the program's headers: since
/// ROCm 6 its headers rename two functions.
std::string versioned_name(std::string name, int hip_version) {
  constexpr int kFirstRenamed = 600;
  const bool renamed = name == "hipGetDeviceProperties" || name == "hipChooseDevice";
  return renamed && hip_version >= kFirstRenamed ? name + "R0600" : name;
}

Status look_up(const std::string& name, void** function, std::uint64_t flags,
               QueryResult* result) {
  if (name.empty() || function == nullptr) return Status::kInvalidValue;
  if (flags > kPerThreadDefaultStream) return Status::kInvalidValue;
  void* found = nullptr;
  if (flags == kPerThreadDefaultStream) found = exported(name + "_spt");
  if (found == nullptr) found = exported(name);
  *function = found;
  if (result != nullptr) {
    *result = found != nullptr ? QueryResult::kSuccess : QueryResult::kSymbolNotFound;
  }
  return found != nullptr ? Status::kSuccess : Status::kInvalidValue;
}

Status driver_entry_point(const char* name, void** function, std::uint64_t flags,
                          QueryResult* result) {
  return api::call([&] {
    return name == nullptr ? Status::kInvalidValue : look_up(name, function, flags, result);
  });
}

}  // namespace

WAVETANK_API Status hipGetProcAddress(const char* name, void** function, int hip_version,
                                      std::uint64_t flags, QueryResult* result) {
  return api::call([&] {
    if (name == nullptr) return Status::kInvalidValue;
    return look_up(versioned_name(name, hip_version), function, flags, result);
  });
}

WAVETANK_API Status hipGetDriverEntryPoint(const char* name, void** function,
                                           unsigned long long flags, QueryResult* result) {
  return driver_entry_point(name, function, flags, result);
}

WAVETANK_API Status hipGetDriverEntryPoint_spt(const char* name, void** function,
                                               unsigned long long flags, QueryResult* result) {
  return driver_entry_point(name, function,
                            flags == kDefault ? kPerThreadDefaultStream : flags, result);
}
