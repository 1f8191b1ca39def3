// Whether files are still what they were, without reading them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wavetank::toolchain {

/// A file's path, size and time of change as one line; a missing file gives a line, too.
std::string state_of(const std::filesystem::path& file);

/// The states of files, one line each.
std::string states_of(const std::vector<std::filesystem::path>& files);

/// True if each of the lines is still the state of its file.
bool states_hold(const std::string& lines);

/// clang's flags for a compilation for one processor that writes the make rule of its inputs,
/// system headers too. Not -MD: clang 22's driver ignores -MF for device code.
std::vector<std::string> dependency_flags(const std::filesystem::path& rule);

/// The files that such a make rule depends on. Empty when it cannot be read.
std::vector<std::filesystem::path> read_dependencies(const std::filesystem::path& rule);

}  // namespace wavetank::toolchain
