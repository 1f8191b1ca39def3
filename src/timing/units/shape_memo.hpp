// What depends on how the lanes of an access lie to each other, found again instead of worked out
// anew: programs repeat few shapes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/step.hpp"

namespace wavetank::timing {

/// What a shape is beside the places of its lanes.
struct ShapeKind {
  std::uint64_t lanes = 0;  ///< that take part
  std::int64_t stride = 0;
  unsigned bytes = 0, count = 0;
  std::uint32_t use = 0;  ///< by whatever else tells two apart
  bool operator==(const ShapeKind&) const = default;

  static ShapeKind of(const machine::Step& step, std::uint64_t lanes, std::uint32_t use) {
    return {lanes, step.access_stride, step.access_bytes, step.access_count, use};
  }
};

/// Remembers values of accesses. They depend on the shape and on where in a period the first lane
/// lies, not on which period that is.
template <class Value>
class ShapeMemo {
 public:
  ShapeMemo(std::uint64_t period_bytes, std::size_t remembered)
      : period_(period_bytes), in_rows_(remembered), each_(remembered) {}

  struct Found {
    Value* value;         ///< holds until the next find()
    std::uint64_t shift;  ///< bytes before the period of the first lane
    bool is_new;          ///< nobody has worked it out yet
  };
  /// Of `kind`, in which at least one lane takes part. If it is new, the caller has to set it.
  Found find(const machine::Step& step, const ShapeKind& kind) {
    const std::uint64_t first = step.address[static_cast<unsigned>(std::countr_zero(kind.lanes))];
    const std::uint64_t shift = first - first % period_;
    if (const machine::LaneRows* const lanes = step.address.rows()) {
      machine::LaneRows shifted = *lanes;
      shifted.first -= shift;
      return find(in_rows_, kind, shifted, shift);
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t active = 0 - (kind.lanes >> lane & 1);
      places_[lane] = (step.address[lane] - shift) & active;
    }
    return find(each_, kind, places_, shift);
  }

 private:
  static constexpr unsigned kLanes = 64;
  static constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;

  /// Lanes that do not lie in rows; of those that take no part 0.
  using Each = std::array<std::uint64_t, kLanes>;
  template <class Places>
  struct Known {
    ShapeKind kind;
    Places places = {};
    Value value;
  };

  static std::uint64_t hash(const machine::LaneRows& places) {
    return places.first + places.apart * kMix + places.row_apart * 5 + places.row_shift;
  }
  static std::uint64_t hash(const Each& places) {
    // Products of different odd numbers, so that lanes that change places give another sum. The
    // lower halves tell shapes apart as well, and the host multiplies several of them at a time.
    constexpr std::uint64_t kLower = 0xffffffff;
    std::uint64_t sum = 0;
    for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
      sum += (places[lane] & kLower) * ((kMix + 2 * lane) & kLower);
    }
    return sum;
  }
  template <class Places>
  static Found find(std::vector<Known<Places>>& table, const ShapeKind& kind, const Places& places,
                    std::uint64_t shift) {
    const std::uint64_t sum = hash(places) + kind.lanes + kind.bytes * kMix +
                              static_cast<std::uint64_t>(kind.stride) * 3 + kind.use;
    Known<Places>& known = table[(sum * kMix >> 32) % table.size()];
    const bool is_new = known.kind != kind || known.places != places;
    if (is_new) {
      known.kind = kind;
      known.places = places;
    }
    return {&known.value, shift, is_new};
  }

  std::uint64_t period_;
  Each places_;
  std::vector<Known<machine::LaneRows>> in_rows_;
  std::vector<Known<Each>> each_;
};

}  // namespace wavetank::timing
