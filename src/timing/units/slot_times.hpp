// When the waves of a SIMD may issue.
#pragma once

#include <emmintrin.h>
#include <smmintrin.h>
#include <tmmintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "machine/step.hpp"

namespace wavetank::timing {

inline constexpr unsigned kSlotsPerSimd = 8;
inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// What an instruction waits for: the unit of its port, by the port's number, or the vector and the
/// matrix unit both. Who needs none but the wave's own buffer (branches, waits) waits for nothing.
inline constexpr std::uint8_t kBothUnits = machine::kPortCount;

/// All slots are compared at once, by what lies between their times and a base that follows the
/// times that are asked about: 16 bits each. Of times that are not near the base the cycles
/// themselves are looked at.
class SlotTimes {
 public:
  void clear() { *this = SlotTimes(); }
  /// A unit takes another instruction from `time` on.
  void set_unit(std::uint8_t unit, std::uint64_t time) {
    unit_time_[unit] = time;
    near_unit_[unit] = near(time);
  }
  std::uint64_t unit_time(std::uint8_t unit) const { return unit_time_[unit]; }
  /// The slot's next instruction may issue from `time` on, when `unit` takes it.
  void set(unsigned slot, std::uint64_t time, std::uint8_t unit) {
    time_[slot] = time;
    unit_[slot] = unit;
    awake_ |= static_cast<std::uint8_t>(1u << slot);
    // Whole vectors are stored: what is loaded soon would wait for parts of them.
    near_ = with(near_, slot, static_cast<std::int16_t>(near(time)));
    places_ = with(places_, slot, bytes_of(unit));
  }
  /// Nobody knows when the slot issues.
  void hold(unsigned slot) {
    awake_ &= static_cast<std::uint8_t>(~(1u << slot));
    near_ = with(near_, slot, kHeld);
  }
  /// The slots that are not held, one bit each.
  unsigned awake() const { return awake_; }
  std::uint64_t operator[](unsigned slot) const { return time_[slot]; }
  std::uint8_t unit_of(unsigned slot) const { return unit_[slot]; }

  struct Ready {
    unsigned slots = 0;      ///< that can issue at the time, one bit each ...
    std::uint64_t next = 0;  ///< ... and, if none can, when one can; kNever if all are held
  };
  Ready ready_at(std::uint64_t time) {
    // `time` itself stays away from what is no longer told apart.
    if (time - base_ - 1 >= kReach) move_base(time);
    const __m128i from = nearest();
    const __m128i now = _mm_set1_epi16(static_cast<std::int16_t>(time - base_));
    const __m128i before = _mm_cmpeq_epi16(_mm_min_epu16(from, now), from);
    const auto slots =
        static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(before, _mm_setzero_si128())));
    return {slots, slots != 0 ? time : least(from)};
  }
  /// The first cycle in which one can issue; kNever if all are held.
  std::uint64_t earliest() const { return least(nearest()); }

 private:
  static constexpr std::uint64_t kReach = 0x8000;  ///< times that are asked about lie so far behind
                                                   ///< the base at most
  static constexpr std::uint16_t kFar = 0xfffe;    ///< so far behind the base, or farther
  static constexpr std::int16_t kHeld = -1;
  static constexpr std::size_t kUnits = kBothUnits + 1;

  /// Cycles behind the base: 0 for all before it.
  std::uint16_t near(std::uint64_t time) const {
    return static_cast<std::uint16_t>(std::min<std::uint64_t>(std::max(time, base_) - base_, kFar));
  }
  /// The places of a unit's two bytes in a vector of units.
  static constexpr std::int16_t bytes_of(std::uint8_t unit) {
    return static_cast<std::int16_t>(2 * unit | (2 * unit + 1) << 8);
  }
  static __m128i with(__m128i values, unsigned slot, std::int16_t value) {
    alignas(16) static constexpr std::array<std::int16_t, 2 * kSlotsPerSimd> kOne = {
        0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0};
    const __m128i place =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(kOne.data() + kSlotsPerSimd - 1 - slot));
    return _mm_blendv_epi8(values, _mm_set1_epi16(value), place);
  }
  /// For each slot when it can issue, behind the base.
  __m128i nearest() const {
    // One by one: units are set one by one, just before this.
    const auto of = [&](unsigned unit) { return static_cast<std::int16_t>(near_unit_[unit]); };
    const __m128i units = _mm_setr_epi16(of(0), of(1), of(2), of(3), 0, 0, of(kBothUnits), 0);
    static_assert(kUnits == 7 && machine::Port::kBranch == machine::Port{4});
    return _mm_max_epu16(near_, _mm_shuffle_epi8(units, places_));
  }
  std::uint64_t least(__m128i from) const {
    const auto behind = static_cast<std::uint16_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(from)));
    if (behind != 0 && behind < kFar) return base_ + behind;
    return behind == static_cast<std::uint16_t>(kHeld) ? kNever : least_exactly();
  }
  std::uint64_t least_exactly() const {
    std::uint64_t next = kNever;
    for (unsigned rest = awake_; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      next = std::min(next, std::max(time_[slot], unit_time_[unit_[slot]]));
    }
    return next;
  }
  /// Lets `time` lie behind the base, but for a quarter of what it may reach.
  void move_base(std::uint64_t time) {
    base_ = time - std::min(time, kReach / 4);
    for (std::size_t unit = 0; unit < kUnits; ++unit) near_unit_[unit] = near(unit_time_[unit]);
    for (unsigned rest = awake_; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      near_ = with(near_, slot, static_cast<std::int16_t>(near(time_[slot])));
    }
  }

  __m128i near_ = _mm_set1_epi16(kHeld);  ///< of the slots' times; kHeld: it is not awake
  __m128i places_ = _mm_setzero_si128();  ///< for each slot those of its unit's bytes
  std::array<std::uint16_t, kUnits> near_unit_ = {};
  std::array<std::uint64_t, kUnits> unit_time_ = {};
  std::uint64_t base_ = 0;
  std::uint8_t awake_ = 0;
  std::array<std::uint8_t, kSlotsPerSimd> unit_ = {};
  std::array<std::uint64_t, kSlotsPerSimd> time_ = {};
};

}  // namespace wavetank::timing
