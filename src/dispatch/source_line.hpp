// Source lines of code addresses, from the code object's debug information.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code_object/loader.hpp"

namespace wavetank::dispatch {

/// "file.hip:88" for each virtual address inside a code object: of inlined calls the innermost in
/// the program's own files. Empty when it was compiled without -g or llvm-symbolizer is not
/// installed. Starts a process: for diagnostics and reports only.
std::vector<std::string> source_lines(const code_object::LoadedCodeObject& code,
                                      const std::vector<std::uint64_t>& virtual_addresses);
/// The same for one address.
std::string source_line(const code_object::LoadedCodeObject& code, std::uint64_t virtual_address);

}  // namespace wavetank::dispatch
