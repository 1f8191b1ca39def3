#include "check/diagnosis.hpp"

#include <array>

#include <fmt/format.h>

namespace wavetank::check {

std::string_view name_of(Level level) {
  constexpr std::array<std::string_view, 2> kNames = {"error", "note"};
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
  if (count > 1) text += fmt::format("   = note: {} times\n", count);
  return text;
}

}  // namespace wavetank::check
