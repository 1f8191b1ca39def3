// Source lines of code addresses, from the code object's debug information.
#pragma once

#include <cstdint>
#include <string>

#include "code_object/loader.hpp"

namespace wavetank::dispatch {

/// "file.hip:88" for a virtual address inside a code object, inlined callers first; empty when it
/// was compiled without -g or llvm-symbolizer is not installed. Starts a process: for diagnostics
/// only.
std::string source_line(const code_object::LoadedCodeObject& code, std::uint64_t virtual_address);

}  // namespace wavetank::dispatch
