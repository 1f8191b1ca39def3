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

/// What an instruction waits for: the unit of its port, or the vector and the matrix unit both.
inline constexpr std::uint8_t kBothUnits = machine::kPortCount;
/// When units take another instruction, by the numbers of their ports and kBothUnits. Who needs
/// none but the wave's own buffer (branches, waits) waits for nothing: 0.
using UnitTimes = std::array<std::uint64_t, machine::kPortCount + 1>;

/// All slots are compared at once, by what lies between their times and a base that follows the
/// times that are asked about: 16 bits each. Of times that are not near the base the cycles
/// themselves are looked at.
class SlotTimes {
 public:
  void clear() {
    awake_ = 0;
    base_ = 0;
    near_ = _mm_set1_epi16(kHeld);
    units_ = _mm_setzero_si128();
  }
  /// The slot's next instruction may issue from `time` on, when `unit` takes it.
  void set(unsigned slot, std::uint64_t time, std::uint8_t unit) {
    time_[slot] = time;
    unit_[slot] = unit;
    awake_ |= static_cast<std::uint8_t>(1u << slot);
    // Whole vectors are stored: what is loaded soon would wait for parts of them.
    near_ = with(near_, slot, static_cast<std::int16_t>(near(time)));
    units_ = with(units_, slot, bytes_of(unit));
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
  Ready ready_at(std::uint64_t time, const UnitTimes& units) {
    // `time` itself stays away from what is no longer told apart.
    if (time - base_ - 1 >= kReach) move_base(time);
    const __m128i from = from_of(units);
    const __m128i now = _mm_set1_epi16(static_cast<std::int16_t>(time - base_));
    const __m128i before = _mm_cmpeq_epi16(_mm_min_epu16(from, now), from);
    const auto slots = static_cast<unsigned>(
        _mm_movemask_epi8(_mm_packs_epi16(before, _mm_setzero_si128())));
    return {slots, slots != 0 ? time : least(from, units)};
  }
  /// The first cycle in which one can issue; kNever if all are held.
  std::uint64_t earliest(const UnitTimes& units) const { return least(from_of(units), units); }

 private:
  static constexpr std::uint64_t kReach = 0x8000;  ///< times that are asked about lie so far behind
                                                   ///< the base at most
  static constexpr std::uint16_t kFar = 0xfffe;    ///< so far behind the base, or farther
  static constexpr std::int16_t kHeld = -1;

  /// Cycles behind the base: 0 for all before it.
  std::uint16_t near(std::uint64_t time) const {
    return static_cast<std::uint16_t>(std::min<std::uint64_t>(std::max(time, base_) - base_, kFar));
  }
  /// The places of a unit's two bytes in a vector of units.
  static std::int16_t bytes_of(std::uint8_t unit) {
    return static_cast<std::int16_t>(2 * unit | (2 * unit + 1) << 8);
  }
  static __m128i with(__m128i values, unsigned slot, std::int16_t value) {
    alignas(16) static constexpr std::array<std::int16_t, 2 * kSlotsPerSimd> kOne = {
        0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0};
    const __m128i place = _mm_loadu_si128(
        reinterpret_cast<const __m128i*>(kOne.data() + kSlotsPerSimd - 1 - slot));
    return _mm_blendv_epi8(values, _mm_set1_epi16(value), place);
  }
  /// For each slot when it can issue, behind the base.
  __m128i from_of(const UnitTimes& units) const {
    const auto of = [&](unsigned unit) { return static_cast<std::int16_t>(near(units[unit])); };
    const __m128i times = _mm_setr_epi16(of(0), of(1), of(2), of(3), 0, 0, of(kBothUnits), 0);
    static_assert(machine::kPortCount == 6 && machine::Port::kBranch == machine::Port{4});
    return _mm_max_epu16(near_, _mm_shuffle_epi8(times, units_));
  }
  std::uint64_t least(__m128i from, const UnitTimes& units) const {
    const auto behind = static_cast<std::uint16_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(from)));
    if (behind != 0 && behind < kFar) return base_ + behind;
    return behind == static_cast<std::uint16_t>(kHeld) ? kNever : least_exactly(units);
  }
  std::uint64_t least_exactly(const UnitTimes& units) const {
    std::uint64_t next = kNever;
    for (unsigned rest = awake_; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      next = std::min(next, std::max(time_[slot], units[unit_[slot]]));
    }
    return next;
  }
  /// Lets `time` lie behind the base, but for a quarter of what it may reach.
  void move_base(std::uint64_t time) {
    base_ = time - std::min(time, kReach / 4);
    for (unsigned rest = awake_; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      near_ = with(near_, slot, static_cast<std::int16_t>(near(time_[slot])));
    }
  }

  __m128i near_ = _mm_set1_epi16(kHeld);  ///< of the slots' times; kHeld: it is not awake
  __m128i units_ = _mm_setzero_si128();   ///< for each slot the places of its unit's bytes
  std::uint64_t base_ = 0;
  std::uint8_t awake_ = 0;
  std::array<std::uint8_t, kSlotsPerSimd> unit_ = {};
  std::array<std::uint64_t, kSlotsPerSimd> time_ = {};
};

}  // namespace wavetank::timing
