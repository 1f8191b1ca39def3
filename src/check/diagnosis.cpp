#include "check/diagnosis.hpp"

#include <array>

namespace wavetank::check {

std::string_view name_of(Level level) {
  constexpr std::array<std::string_view, 2> kNames = {"error", "note"};
  return kNames[static_cast<std::size_t>(level)];
}

std::string code_text(ErrorCode code) { return Error{code, {}}.code_text(); }

}  // namespace wavetank::check
