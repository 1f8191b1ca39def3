// What a program wants compiled, and what came of it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

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

}  // namespace wavetank::hip::rtc
