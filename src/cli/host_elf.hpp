// Which HIP runtime a host program asks for, read from its ELF headers and those of its libraries.
#pragma once

#include <filesystem>
#include <set>
#include <string>
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

/// The sonames of every libamdhip64.so.N and libhiprtc.so.N that the program needs, directly or
/// through the libraries that it needs. Libraries that are not found are passed over: the loader
/// will say so.
std::set<std::string> hip_libraries(const std::filesystem::path& program);

}  // namespace wavetank::cli
