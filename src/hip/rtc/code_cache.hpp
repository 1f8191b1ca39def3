// Compiled code kept for the next program that compiles the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hip/rtc/compilation.hpp"
#include "toolchain/cache.hpp"

namespace wavetank::hip::rtc {

/// The cache's name for what a command (without the names of temporary files) makes of a request,
/// with the states of the compiler and of the libraries that it links. Empty for what is not kept:
/// options that write files, and sources that ask for the time.
std::string code_key(const CompileRequest& request, const std::vector<std::string>& command,
                     const std::string& tools);

/// What was kept under a key, if every file that it was made of is what it was.
std::optional<Compiled> find_code(const toolchain::Cache& cache, const std::string& key);

/// Keeps successfully compiled code and the states of the files (toolchain/file_state.hpp) that the
/// compiler read beside the request.
void keep_code(const toolchain::Cache& cache, const std::string& key, const Compiled& compiled,
               const std::string& inputs);

}  // namespace wavetank::hip::rtc
