// Where the lanes of a memory instruction go: a number for each of them, the registers that say so,
// for whoever looks before the instruction runs and mostly needs no single one, or rows of lanes.
#pragma once

#include <smmintrin.h>

#include <array>
#include <bit>
#include <cstdint>

namespace wavetank::machine {

/// Lanes that lie in rows, as those of one-dimensional and most two-dimensional workgroups do:
/// evenly apart in a row, and the rows evenly apart, too. Distances are modulo 2^64.
struct LaneRows {
  std::uint64_t first = 0;      ///< the byte of lane 0
  std::uint64_t apart = 0;      ///< bytes from each lane of a row to the next ...
  std::uint64_t row_apart = 0;  ///< ... and from each row to the next
  unsigned row_shift = 6;       ///< of 2^row_shift lanes; 6: there is one row, row_apart is 0

  std::uint64_t operator[](unsigned lane) const {
    return first + apart * (lane & ((1u << row_shift) - 1)) + row_apart * (lane >> row_shift);
  }
  bool operator==(const LaneRows&) const = default;
};

class LaneAddresses {
 public:
  /// The lane's byte address: of the device, or into LDS. Of lanes that do not take part it may be
  /// any number.
  std::uint64_t operator[](unsigned lane) const {
    if (low_ != nullptr) return in_registers(lane);
    return in_rows_ ? rows_[lane] : each_[lane];
  }
  /// A place for a lane's address, where all lanes get one so.
  std::uint64_t& slot(unsigned lane) {
    in_rows_ = false;
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
    in_rows_ = find_rows(lanes);
    if (!in_rows_) copy();
    low_ = nullptr;
  }
  /// The same, for whoever then changes some of them in their slots.
  void settle_each() {
    if (low_ == nullptr) return;
    copy();
    in_rows_ = false;
    low_ = nullptr;
  }
  /// The rows in which all lanes that take part lie; nullptr: they do not, or it is not known. It
  /// is found where registers are read.
  const LaneRows* rows() const { return low_ == nullptr && in_rows_ ? &rows_ : nullptr; }
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
  /// Sets rows_; false if the lanes that take part lie in none.
  bool find_rows(std::uint64_t lanes) {
    if (lanes == 0) return false;
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint64_t rest = lanes & (lanes - 1);
    const auto second = rest == 0 ? first : static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t begin = in_registers(first);
    const auto between = static_cast<std::int64_t>(in_registers(second) - begin);
    const std::int64_t steps = second == first ? 1 : second - first;
    if (steps > 1 && between % steps != 0) return false;
    rows_.apart = static_cast<std::uint64_t>(between / steps);
    rows_.first = begin - rows_.apart * first;
    rows_.row_apart = 0;
    rows_.row_shift = 6;
    const auto last = static_cast<unsigned>(kLanes - 1 - std::countl_zero(lanes));
    // What the lower halves show holds for whole addresses if those at the ends agree: on the way
    // to them no lower half has run over.
    if (agrees(last)) return halves_agree(lanes);
    if (~lanes != 0) return false;
    for (rows_.row_shift = 2; rows_.row_shift < 6; ++rows_.row_shift) {
      const unsigned row = 1u << rows_.row_shift;
      if (in_registers(row) == begin + rows_.apart * row) continue;
      rows_.row_apart = in_registers(row) - begin;
      return agrees(row - 1) && agrees(kLanes - row) && agrees(last) && halves_agree(lanes);
    }
    return false;
  }
  bool agrees(unsigned lane) const { return in_registers(lane) == rows_[lane]; }
  /// True if the registers of the lanes are as far apart as rows_ says, in their lower halves, and
  /// have the same upper ones.
  bool halves_agree(std::uint64_t lanes) const {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    const auto of_lane = [&](unsigned lane) { return static_cast<std::uint32_t>(rows_[lane]); };
    const std::uint32_t base = low_[first] - of_lane(first);
    const auto four = [](std::uint32_t value) { return _mm_set1_epi32(static_cast<int>(value)); };
    const auto four_of = [](const std::uint32_t* registers) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(registers));
    };
    const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
    const __m128i in_row =
        _mm_mullo_epi32(four(static_cast<std::uint32_t>(rows_.apart)), _mm_setr_epi32(0, 1, 2, 3));
    __m128i differ = _mm_setzero_si128();
    for (unsigned lane = 0; lane < kLanes; lane += 4, lanes >>= 4) {
      const __m128i expected = _mm_add_epi32(four(base + of_lane(lane)), in_row);
      __m128i differ_here = _mm_xor_si128(four_of(low_ + lane), expected);
      if (high_ != nullptr) {
        const __m128i upper = _mm_xor_si128(four_of(high_ + lane), four(high_[first]));
        differ_here = _mm_or_si128(differ_here, upper);
      }
      // Who takes no part may lie anywhere.
      const __m128i own = _mm_and_si128(four(static_cast<std::uint32_t>(lanes)), bit);
      differ = _mm_or_si128(differ, _mm_and_si128(differ_here, _mm_cmpeq_epi32(own, bit)));
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
  bool in_rows_ = false;
  LaneRows rows_;
  std::array<std::uint64_t, kLanes> each_;  // not set: most instructions of a wave need none of it
};

}  // namespace wavetank::machine
