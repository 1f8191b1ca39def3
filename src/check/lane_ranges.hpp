// The bytes that the lanes of an instruction touch, as few ranges.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/step.hpp"

namespace wavetank::check {

/// Bytes [begin, end) that neighbouring lanes touch, each `lane_bytes` of them.
struct LaneRange {
  std::uint64_t begin = 0, end = 0;
  unsigned first_lane = 0;
  unsigned lane_bytes = 0;
  unsigned access = 0;  ///< which of the instruction's accesses (ds_write2 has two)
  /// The lane that touches an address.
  unsigned lane_at(std::uint64_t address) const {
    return first_lane + static_cast<unsigned>((address - begin) / lane_bytes);
  }
};

/// Puts the ranges of the step's `lanes` into `ranges`, in the order of the lanes. Lanes that go on
/// where the one before ended share a range; a lane that touches the same bytes as the one before
/// adds nothing.
void collect_ranges(const machine::Step& step, std::uint64_t lanes, std::vector<LaneRange>& ranges);

}  // namespace wavetank::check
