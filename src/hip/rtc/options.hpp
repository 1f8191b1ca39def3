// The options of a program that hipRTC compiles.
#pragma once

#include <string>
#include <vector>

namespace wavetank::hip::rtc {

/// Sorted into clang's and our own.
struct Options {
  std::vector<std::string> words;  ///< clang's
  std::string target;              ///< "gfx90a:xnack-"; empty when the program names none
  bool relocatable = false;        ///< -fgpu-rdc
  bool builtin_header = true;
};

/// As AMD's library sorts them: the first --offload-arch counts, nvcc's name for it too. Adds what
/// $HIPRTC_COMPILE_OPTIONS_APPEND says.
Options sort_options(const std::vector<std::string>& words);

/// An option that takes a value, in one word or two: -DNAME, -I folder.
struct OptionWords {
  std::string option;              ///< "-D"; the word itself if it is none of those asked for
  std::string value;               ///< "NAME"
  std::vector<std::string> words;  ///< as they were given
};

/// Splits words at options: those of `with_value` are taken apart.
std::vector<OptionWords> split_options(const std::vector<std::string>& words,
                                       const std::vector<std::string>& with_value);

}  // namespace wavetank::hip::rtc
