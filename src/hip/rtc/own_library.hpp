// Where the library that this code was linked into lies.
#pragma once

#include <filesystem>

namespace wavetank::hip::rtc {

/// The path of the shared library (or program) that holds this function; empty if unknown.
std::filesystem::path own_library();

}  // namespace wavetank::hip::rtc
