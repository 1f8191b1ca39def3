#include "check/diagnosis.hpp"

#include <array>

#include <fmt/format.h>

namespace wavetank::check {

std::string_view name_of(Level level) {
  constexpr std::array<std::string_view, 3> kNames = {"error", "note", "advice"};
  return kNames[static_cast<std::size_t>(level)];
}

std::string Diagnosis::to_text() const {
  std::string text =
      fmt::format("{}[E{:04}]: {}\n", name_of(level), static_cast<unsigned>(code), message);
  for (const Spot& spot : spots) {
    text += fmt::format("  --> {}\n", spot.place);
    if (!spot.code.empty()) text += fmt::format("   |  {}\n", spot.code);
    if (!spot.what.empty()) text += fmt::format("   |  {}\n", spot.what);
  }
  if (!note.empty()) text += fmt::format("   = note: {}\n", note);
  if (!help.empty()) text += fmt::format("   = help: {}\n", help);
  return text;
}

}  // namespace wavetank::check
