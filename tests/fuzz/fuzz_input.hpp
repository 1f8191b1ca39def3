// What a fuzz target makes of its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wavetank::fuzz {

/// The input, read from the front; zeros behind its end.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }
  /// One of some values.
  template <class T, std::size_t n>
  T any(const T (&values)[n]) {
    return values[byte() % n];
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace wavetank::fuzz
