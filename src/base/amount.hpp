// Numbers that may be given as a multiple of what is there: "1638.4", "2x".
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

namespace wavetank {

struct Amount {
  double value = 0;
  bool is_factor = false;  ///< of what is there
  double of(double there) const { return is_factor ? there * value : value; }
};

/// Nothing for a text that is no finite number.
inline std::optional<Amount> parse_amount(std::string_view text) {
  Amount amount;
  amount.is_factor = text.ends_with('x');
  if (amount.is_factor) text.remove_suffix(1);
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, amount.value);
  if (error != std::errc() || end != last || !std::isfinite(amount.value)) return std::nullopt;
  return amount;
}

}  // namespace wavetank
