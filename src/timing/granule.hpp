// Sizes by which the model divides addresses. Nearly all are powers of two, but a device file may
// say otherwise.
#pragma once

#include <bit>
#include <cstdint>

namespace wavetank::timing {

/// A number to divide by, by a shift where that does it.
class Granule {
 public:
  /// `size` must not be 0.
  explicit Granule(std::uint64_t size)
      : size_(size), shift_(std::has_single_bit(size) ? std::countr_zero(size) : -1) {}
  std::uint64_t number(std::uint64_t value) const {
    return shift_ >= 0 ? value >> shift_ : value / size_;
  }
  std::uint64_t rest(std::uint64_t value) const {
    return shift_ >= 0 ? value & (size_ - 1) : value % size_;
  }
  /// The greatest multiple that is not above `value`.
  std::uint64_t floor(std::uint64_t value) const { return value - rest(value); }

 private:
  std::uint64_t size_;
  int shift_;  ///< -1: not a power of two
};

}  // namespace wavetank::timing
