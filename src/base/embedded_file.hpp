// A text file compiled into the program (cmake/EmbedText.cmake writes the tables).
#pragma once

#include <span>
#include <string_view>

namespace wavetank {

/// One file: its name without folder and extension, and its bytes.
struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

}  // namespace wavetank
