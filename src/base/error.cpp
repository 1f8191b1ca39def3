#include "base/error.hpp"

#include <fmt/format.h>

namespace wavetank {

std::string Error::code_text() const { return fmt::format("E{:04}", static_cast<unsigned>(code)); }

std::string Error::to_text() const {
  std::string text =
      fmt::format("{}[{}]: {}\n", is_warning(code) ? "warning" : "error", code_text(), message);
  if (!where.empty()) text += fmt::format("  --> {}\n", where);
  if (!note.empty()) text += fmt::format("   = note: {}\n", note);
  if (!help.empty()) text += fmt::format("   = help: {}\n", help);
  return text;
}

}  // namespace wavetank
