// Which source line an instruction came from, by llvm-symbolizer (Wavetank and the program that it
// runs stay free of LLVM).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/source_line.hpp"

namespace wavetank::toolchain {

/// True if a code object has debug information (clang -g).
bool has_debug_information(std::span<const std::byte> image);

/// The source line of each virtual address, as far as they are known. Of an inlined call, the line
/// of the program itself is given rather than that of a system header. Starts a process. Errors:
/// kUsage when the symbolizer is not installed, kFileUnreadable when it cannot be run.
Result<std::map<std::uint64_t, SourceLine>> find_source_lines(
    std::span<const std::byte> image, const std::vector<std::uint64_t>& addresses);

/// The same for each address, an unknown place where it is not known, for whatever reason.
std::vector<SourceLine> source_lines_as_known(std::span<const std::byte> image,
                                              const std::vector<std::uint64_t>& addresses);

/// The same for virtual addresses [begin, begin + count) of a program or library of the host, given
/// as a file; fewer, or none, if the symbolizer does not answer.
std::vector<SourceLine> host_source_lines(const std::string& object, std::uint64_t begin,
                                          unsigned count);

/// The program's own source files that a code object was compiled from, with their folders, as far
/// as its debug information tells; none without it. Starts a process.
std::vector<std::string> source_files_as_known(std::span<const std::byte> image);

/// The symbolizer's answers in their order: of each the frames, innermost first, as the function's
/// name and "path/file.hip:88:12" on a line each, then an empty line. The function that a
/// compiler makes to launch a kernel (__device_stub__) is no place of its source.
std::vector<SourceLine> parse_symbolizer(std::string_view text);

}  // namespace wavetank::toolchain
