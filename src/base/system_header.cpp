#include "base/system_header.hpp"

namespace wavetank {

bool is_system_header(std::string_view file) {
  for (const std::string_view folder : {"/usr/", "/opt/rocm", "/lib/"}) {
    if (file.starts_with(folder)) return true;
  }
  return file.find("/share/wavetank/include/") != std::string_view::npos;
}

}  // namespace wavetank
