// Which source line an instruction came from, by llvm-symbolizer (the application's process and
// this program stay free of LLVM).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank::cli {

/// A place in a source file; line 0 when it is not known.
struct SourceLine {
  std::string file;
  unsigned line = 0;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// True if a code object has debug information (clang -g).
bool has_debug_information(std::span<const std::byte> image);

/// The source line of each address. Of an inlined call, the line of the program itself is given
/// rather than that of a system header. Errors: kUsage when the symbolizer is not installed.
Result<std::map<std::uint64_t, SourceLine>> find_source_lines(
    std::span<const std::byte> image, const std::vector<std::uint64_t>& addresses);

/// The lines of a source file, empty if it is not there any more.
std::vector<std::string> read_source_file(const std::string& path);

}  // namespace wavetank::cli
