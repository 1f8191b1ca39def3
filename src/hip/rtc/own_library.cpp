#include "hip/rtc/own_library.hpp"

#include <dlfcn.h>

namespace wavetank::hip::rtc {

std::filesystem::path own_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_library), &info) == 0) return {};
  std::error_code error;
  return std::filesystem::canonical(info.dli_fname, error);
}

}  // namespace wavetank::hip::rtc
