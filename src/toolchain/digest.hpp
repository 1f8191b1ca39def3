// Names for cached results: the same content gives the same name.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace wavetank::toolchain {

namespace detail {
__extension__ using Word128 = unsigned __int128;
constexpr Word128 word128(std::uint64_t high, std::uint64_t low) {
  return (static_cast<Word128>(high) << 64) | low;
}
}  // namespace detail

/// FNV-1a with 128 bits (Fowler, Noll, Vo; RFC 9923) over parts that stay apart: ("ab", "c")
/// differs from ("a", "bc"). Tells contents apart, resists no adversary.
class Digest {
 public:
  Digest& add(std::string_view part) {
    const std::uint64_t size = part.size();
    for (unsigned i = 0; i < sizeof size; ++i) add_byte(static_cast<std::uint8_t>(size >> (8 * i)));
    for (const char c : part) add_byte(static_cast<std::uint8_t>(c));
    return *this;
  }
  /// 32 hexadecimal digits.
  std::string hex() const {
    std::string text;
    for (int shift = 124; shift >= 0; shift -= 4) {
      text += "0123456789abcdef"[static_cast<unsigned>(state_ >> shift) & 15u];
    }
    return text;
  }

 private:
  static constexpr detail::Word128 kPrime = detail::word128(1ull << 24, 0x13b);
  void add_byte(std::uint8_t byte) { state_ = (state_ ^ byte) * kPrime; }

  detail::Word128 state_ = detail::word128(0x6c62272e07bb0142, 0x62b821756295c58d);
};

}  // namespace wavetank::toolchain
