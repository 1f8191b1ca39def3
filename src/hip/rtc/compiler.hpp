// Device code from source or LLVM bitcode, by the clang that is installed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hip/rtc/compilation.hpp"

namespace wavetank::hip::rtc {

/// Compiles a source. Whatever fails is said in the log: the compiler's messages, or what is
/// missing for compiling at all.
Compiled compile(const CompileRequest& request);

/// A module of LLVM bitcode.
using Bitcode = std::vector<std::byte>;

/// Links modules of device bitcode into a code object for a target id. The options are clang's.
Compiled link(const std::vector<Bitcode>& modules, const std::string& target,
              const std::vector<std::string>& options);

}  // namespace wavetank::hip::rtc
