// Device code from source or LLVM bitcode, by the clang that is installed.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank::hip::rtc {

/// A text with the name that #include or a diagnostic calls it by.
struct NamedText {
  std::string name;
  std::string text;
};

struct CompileRequest {
  NamedText source;
  std::vector<NamedText> headers;
  std::vector<std::string> options;  ///< as the program gave them
  std::vector<std::string> name_expressions;
};

struct Compiled {
  bool succeeded = false;
  bool relocatable = false;  ///< -fgpu-rdc: `code` is LLVM bitcode, else a code object
  std::vector<std::byte> code;
  std::string log;  ///< the compiler's messages, warnings included
  std::map<std::string, std::string> lowered_names;
};

/// Compiles a source. Whatever fails is said in the log: the compiler's messages, or what is
/// missing for compiling at all.
Compiled compile(const CompileRequest& request);

/// A module of LLVM bitcode.
using Bitcode = std::vector<std::byte>;

/// Links modules of device bitcode into a code object for a target id. The options are clang's.
Compiled link(const std::vector<Bitcode>& modules, const std::string& target,
              const std::vector<std::string>& options);

}  // namespace wavetank::hip::rtc
