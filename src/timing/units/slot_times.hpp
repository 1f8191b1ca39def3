// When the waves of a SIMD may issue.
#pragma once

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
  void clear() { awake_ = 0; }
  /// The slot's next instruction may issue from `time` on, when `unit` takes it.
  void set(unsigned slot, std::uint64_t time, std::uint8_t unit) {
    time_[slot] = time;
    unit_[slot] = unit;
    awake_ |= static_cast<std::uint8_t>(1u << slot);
  }
  /// Nobody knows when the slot issues.
  void hold(unsigned slot) { awake_ &= static_cast<std::uint8_t>(~(1u << slot)); }
  /// The slots that are not held, one bit each.
  unsigned awake() const { return awake_; }
  std::uint64_t operator[](unsigned slot) const { return time_[slot]; }
  std::uint8_t unit_of(unsigned slot) const { return unit_[slot]; }

  struct Ready {
    unsigned slots = 0;      ///< that can issue at the time, one bit each ...
    std::uint64_t next = 0;  ///< ... and, if none can, when one can; kNever if all are held
  };
  Ready ready_at(std::uint64_t time, const UnitTimes& units) const {
    Ready ready{0, kNever};
    for (unsigned rest = awake_; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      const std::uint64_t from = std::max(time_[slot], units[unit_[slot]]);
      ready.slots |= static_cast<unsigned>(from <= time) << slot;
      ready.next = std::min(ready.next, from);
    }
    return ready;
  }
  /// The first cycle in which one can issue; kNever if all are held.
  std::uint64_t earliest(const UnitTimes& units) const { return ready_at(0, units).next; }

 private:
  std::uint8_t awake_ = 0;
  std::array<std::uint8_t, kSlotsPerSimd> unit_ = {};
  std::array<std::uint64_t, kSlotsPerSimd> time_ = {};
};

}  // namespace wavetank::timing
