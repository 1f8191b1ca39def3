// The built-in header of hipRTC, parsed once for all programs that are compiled alike.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/cache.hpp"

namespace wavetank::hip::rtc {

/// A precompiled header in the cache.
struct PrecompiledHeader {
  std::filesystem::path file;
  std::string inputs;  ///< the states (toolchain/file_state.hpp) of all files that it was made of
};

/// The precompiled form of `header` for a clang command (without input and output) with the options
/// of a program. Made now if it is not there or if a file that it was made of has changed; absent
/// when that fails, so that the compilation goes on without it. What cannot change the header is
/// ignored: where the program's own headers lie, and macros that the header does not ask for.
std::optional<PrecompiledHeader> find_precompiled_header(const toolchain::Cache& cache,
                                                         std::string_view header,
                                                         const std::vector<std::string>& command,
                                                         const std::vector<std::string>& options);

/// The names in the conditions (#if, #ifdef, #ifndef, #elif) of a text.
std::vector<std::string> names_asked(std::string_view text);

}  // namespace wavetank::hip::rtc
