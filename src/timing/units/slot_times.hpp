// When the waves of a SIMD may issue. The host compares all slots at once: beside its cycle each
// time is kept in 16 bits, behind a base that moves along.
#pragma once

#include <smmintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "machine/step.hpp"

namespace wavetank::timing {

inline constexpr unsigned kSlotsPerSimd = 8;
inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// What an instruction waits for: the unit of its port, or the vector and the matrix unit both.
inline constexpr std::uint8_t kBothUnits = machine::kPortCount;
/// When units take another instruction, by the numbers of their ports and kBothUnits. Who needs
/// none but the wave's own buffer (branches, waits) waits for nothing: 0.
using UnitTimes = std::array<std::uint64_t, machine::kPortCount + 1>;

class SlotTimes {
 public:
  SlotTimes() { clear(); }
  void clear() {
    awake_ = 0;
    rebase(0);
  }
  /// The slot's next instruction may issue from `time` on, when `unit` takes it.
  void set(unsigned slot, std::uint64_t time, std::uint8_t unit) {
    time_[slot] = time;
    unit_[slot] = unit;
    awake_ |= static_cast<std::uint8_t>(1u << slot);
    put(short_time_, slot, behind_base(time));
    const unsigned low_byte = 2u * unit;
    put(picks_unit_, slot, low_byte | (low_byte + 1) << 8);
  }
  /// Nobody knows when the slot issues.
  void hold(unsigned slot) {
    awake_ &= static_cast<std::uint8_t>(~(1u << slot));
    put(short_time_, slot, kFar);
  }
  /// The slots that are not held, one bit each.
  unsigned awake() const { return awake_; }
  std::uint64_t operator[](unsigned slot) const { return time_[slot]; }
  std::uint8_t unit_of(unsigned slot) const { return unit_[slot]; }

  /// The first cycle in which one can issue; kNever if all are held.
  std::uint64_t earliest(const UnitTimes& units) {
    return awake_ == 0 ? kNever : earliest_of(issue_times(units), units);
  }
  struct Ready {
    unsigned slots = 0;      ///< that can issue at the time, one bit each ...
    std::uint64_t next = 0;  ///< ... and, if none can, when one can
  };
  Ready ready_at(std::uint64_t time, const UnitTimes& units) {
    if (time - base_ - 1 >= kFar - 1u) rebase(time);
    const __m128i from = issue_times(units);
    const __m128i now = _mm_set1_epi16(static_cast<std::int16_t>(time - base_));
    const __m128i is_ready = _mm_cmpeq_epi16(_mm_min_epu16(from, now), from);
    const auto slots =
        static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(is_ready, _mm_setzero_si128())));
    return {slots, slots == 0 ? earliest_of(from, units) : time};
  }

 private:
  /// Stands for all later times, 0 for all earlier ones.
  static constexpr std::uint16_t kFar = 0xffff;
  /// The base stays so far behind: slots are filled with waves that began before.
  static constexpr std::uint64_t kBehind = 0x2000;

  std::uint16_t behind_base(std::uint64_t time) const {
    const auto distance = static_cast<std::int64_t>(time - base_);
    return static_cast<std::uint16_t>(std::clamp<std::int64_t>(distance, 0, kFar));
  }
  void rebase(std::uint64_t time) {
    base_ = time - kBehind;
    short_time_ = _mm_set1_epi16(-1);
    for (unsigned rest = awake_; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      put(short_time_, slot, behind_base(time_[slot]));
    }
  }
  /// For each slot when it can issue.
  __m128i issue_times(const UnitTimes& units) const {
    const auto at = [&](std::size_t unit) {
      return std::uint64_t{behind_base(units[unit])} << 16 * (unit % 4);
    };
    // The other units are always free.
    const std::uint64_t low = at(0) | at(1) | at(2) | at(3), high = at(kBothUnits);
    const __m128i all =
        _mm_set_epi64x(static_cast<std::int64_t>(high), static_cast<std::int64_t>(low));
    return _mm_max_epu16(short_time_, _mm_shuffle_epi8(all, picks_unit_));
  }
  std::uint64_t earliest_of(__m128i from, const UnitTimes& units) {
    const auto least = static_cast<std::uint16_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(from)));
    return least != 0 && least != kFar ? base_ + least : search(units);
  }
  /// earliest() where that does not lie within reach of the base, which then follows it.
  std::uint64_t search(const UnitTimes& units) {
    std::uint64_t earliest = kNever;
    for (unsigned rest = awake_; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      earliest = std::min(earliest, std::max(time_[slot], units[unit_[slot]]));
    }
    rebase(earliest);
    return earliest;
  }
  /// Sets one number of eight, all of which are stored: the host hands them on to the next look,
  /// which it does not with one of them.
  static void put(__m128i& numbers, unsigned slot, unsigned value) {
    const __m128i places = _mm_set_epi16(7, 6, 5, 4, 3, 2, 1, 0);
    const __m128i here = _mm_cmpeq_epi16(places, _mm_set1_epi16(static_cast<std::int16_t>(slot)));
    numbers = _mm_blendv_epi8(numbers, _mm_set1_epi16(static_cast<std::int16_t>(value)), here);
  }

  __m128i short_time_;
  __m128i picks_unit_ = _mm_setzero_si128();  ///< two bytes of UnitTimes for each slot
  std::uint64_t base_ = 0;
  std::uint8_t awake_ = 0;
  std::array<std::uint8_t, kSlotsPerSimd> unit_ = {};
  std::array<std::uint64_t, kSlotsPerSimd> time_ = {};
};

}  // namespace wavetank::timing
