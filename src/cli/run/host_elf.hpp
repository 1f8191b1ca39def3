// Which HIP runtime a host program asks for, read from its ELF headers and those of its libraries.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace wavetank::cli {

/// The dynamic section of a host executable or library.
struct DynamicSection {
  std::vector<std::string> needed;   ///< DT_NEEDED
  std::vector<std::string> folders;  ///< DT_RPATH and DT_RUNPATH, $ORIGIN replaced
};

/// Reads a 64-bit little-endian ELF file. Files that are no ELF, or have no dynamic section, give
/// an empty one; any bytes are safe. Errors: kFileUnreadable.
Result<DynamicSection> read_dynamic_section(const std::filesystem::path& file);

/// True for libamdhip64.so.N and libhiprtc.so.N, without which a HIP program cannot start.
bool is_hip_library(std::string_view soname);

/// The sonames of every libamdhip64.so.N, libhiprtc.so.N and librocm_smi64.so.N that the program
/// needs, directly or through the libraries that it needs. Libraries that are not found are passed
/// over: the loader will say so.
std::set<std::string> rocm_libraries(const std::filesystem::path& program);

}  // namespace wavetank::cli
