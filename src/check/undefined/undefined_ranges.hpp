// What of an instruction's ranges is undefined.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check/lane_ranges.hpp"
#include "check/undefined/undefined_bytes.hpp"

namespace wavetank::check {

/// False if nothing is undefined from the first to the last byte of some ranges, where that is
/// quicker to look at than each of them.
inline bool may_touch_undefined(const std::vector<LaneRange>& ranges, const UndefinedBytes& bytes) {
  constexpr std::uint64_t kQuickBytes = std::uint64_t{64} << 10;
  constexpr std::size_t kFewRanges = 4;
  if (ranges.size() <= kFewRanges) return true;
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  for (const LaneRange& range : ranges) {
    low = std::min(low, range.begin);
    high = std::max(high, range.end);
  }
  return high - low > kQuickBytes || bytes.any(low, high);
}

inline bool touches_undefined(const std::vector<LaneRange>& ranges, const UndefinedBytes& bytes) {
  return !bytes.none() && may_touch_undefined(ranges, bytes) &&
         std::ranges::any_of(
             ranges, [&](const LaneRange& range) { return bytes.any(range.begin, range.end); });
}

inline void define(const std::vector<LaneRange>& ranges, UndefinedBytes& bytes) {
  if (!may_touch_undefined(ranges, bytes)) return;
  for (const LaneRange& range : ranges) bytes.define(range.begin, range.end);
}

}  // namespace wavetank::check
