// Where the lanes of a memory instruction go: a number for each of them, the registers that say so,
// for whoever looks before the instruction runs and mostly needs no single one, or a distance.
#pragma once

#include <smmintrin.h>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace wavetank::machine {

class LaneAddresses {
 public:
  /// The lane's byte address: of the device, or into LDS. Of lanes that do not take part it may be
  /// any number.
  std::uint64_t operator[](unsigned lane) const {
    if (low_ != nullptr) return in_registers(lane);
    return is_even_ ? first_ + apart_ * lane : each_[lane];
  }
  /// A place for a lane's address, where all lanes get one so.
  std::uint64_t& slot(unsigned lane) {
    is_even_ = false;
    return each_[lane];
  }
  /// Takes the addresses from 64 dwords of registers each: (high:low + base) & mask, where `high`
  /// may be nullptr. They have to keep their values as long as this is read.
  void refer(const std::uint32_t* low, const std::uint32_t* high, std::uint64_t base,
             std::uint64_t mask = ~std::uint64_t{0}) {
    low_ = low;
    high_ = high;
    base_ = base;
    mask_ = mask;
  }
  /// Reads the registers, which may change from now on, for those of `lanes`.
  void settle(std::uint64_t lanes = ~std::uint64_t{0}) {
    if (low_ == nullptr) return;
    is_even_ = find_even(lanes);
    if (!is_even_) copy();
    low_ = nullptr;
  }
  /// The same, for whoever then changes some of them in their slots.
  void settle_each() {
    if (low_ == nullptr) return;
    copy();
    is_even_ = false;
    low_ = nullptr;
  }
  /// Bytes from each lane to the next, modulo 2^64, if all that take part lie so; known without a
  /// look at them only where that was found when registers were read.
  std::optional<std::uint64_t> apart() const {
    return low_ == nullptr && is_even_ ? std::optional(apart_) : std::nullopt;
  }
  /// The registers referred to; nullptr: none.
  const std::uint32_t* low() const { return low_; }
  const std::uint32_t* high() const { return high_; }
  /// What is added to them.
  std::uint64_t base() const { return base_; }

 private:
  static constexpr unsigned kLanes = 64;

  std::uint64_t in_registers(unsigned lane) const {
    const std::uint64_t high = high_ == nullptr ? 0 : std::uint64_t{high_[lane]} << 32;
    return ((high | low_[lane]) + base_) & mask_;
  }
  /// True if the lanes that take part are evenly apart: first_ and apart_ say so then.
  bool find_even(std::uint64_t lanes) {
    if (lanes == 0) return false;
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    const auto last = static_cast<unsigned>(kLanes - 1 - std::countl_zero(lanes));
    const std::uint64_t rest = lanes & (lanes - 1);
    const auto second = rest == 0 ? first : static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t begin = in_registers(first);
    const auto between = static_cast<std::int64_t>(in_registers(second) - begin);
    const std::int64_t steps = second == first ? 1 : second - first;
    if (steps > 1 && between % steps != 0) return false;
    apart_ = static_cast<std::uint64_t>(between / steps);
    first_ = begin - apart_ * first;
    // What the lower halves show holds for whole addresses if the last lane's agrees: on the way to
    // it no lower half has run over.
    return in_registers(last) == first_ + apart_ * last && halves_agree(first, lanes);
  }
  /// True if the registers of the lanes are as far apart as first_ and apart_ say, in their lower
  /// halves, and have the same upper ones.
  bool halves_agree(unsigned first, std::uint64_t lanes) const {
    const std::uint32_t *const low = low_, *const high = high_;
    const auto apart = static_cast<std::uint32_t>(apart_);
    const std::uint32_t begin = low[first] - apart * first;
    const auto four = [](std::uint32_t value) { return _mm_set1_epi32(static_cast<int>(value)); };
    const auto four_of = [](const std::uint32_t* registers) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(registers));
    };
    const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
    __m128i expected = _mm_add_epi32(
        four(begin), _mm_mullo_epi32(four(apart), _mm_setr_epi32(0, 1, 2, 3)));
    __m128i differ = _mm_setzero_si128();
    for (unsigned lane = 0; lane < kLanes; lane += 4, lanes >>= 4) {
      __m128i differ_here = _mm_xor_si128(four_of(low + lane), expected);
      if (high != nullptr) {
        const __m128i upper = _mm_xor_si128(four_of(high + lane), four(high[first]));
        differ_here = _mm_or_si128(differ_here, upper);
      }
      // Who takes no part may lie anywhere.
      const __m128i own = _mm_and_si128(four(static_cast<std::uint32_t>(lanes)), bit);
      differ = _mm_or_si128(differ, _mm_and_si128(differ_here, _mm_cmpeq_epi32(own, bit)));
      expected = _mm_add_epi32(expected, four(4 * apart));
    }
    return _mm_testz_si128(differ, differ) != 0;
  }
  void copy() {
    // What is the same for all lanes is asked once, so that the host takes several lanes at a time.
    const std::uint32_t *const low = low_, *const high = high_;
    const std::uint64_t base = base_, mask = mask_;
    if (high == nullptr) {
      for (unsigned lane = 0; lane < kLanes; ++lane) each_[lane] = (low[lane] + base) & mask;
    } else {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        each_[lane] = ((std::uint64_t{high[lane]} << 32 | low[lane]) + base) & mask;
      }
    }
  }

  const std::uint32_t* low_ = nullptr;
  const std::uint32_t* high_ = nullptr;
  std::uint64_t base_ = 0, mask_ = ~std::uint64_t{0};
  bool is_even_ = false;
  std::uint64_t first_ = 0, apart_ = 0;  ///< if it is: of lane 0, and from each to the next
  std::array<std::uint64_t, kLanes> each_;  // not set: most instructions of a wave need none of it
};

}  // namespace wavetank::machine
