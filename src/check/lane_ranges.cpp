#include "check/lane_ranges.hpp"

#include <bit>

namespace wavetank::check {

void collect_ranges(const machine::Step& step, std::uint64_t lanes,
                    std::vector<LaneRange>& ranges) {
  ranges.clear();
  for (unsigned access = 0; access < step.access_count; ++access) {
    const std::uint64_t shift =
        static_cast<std::uint64_t>(step.access_stride * static_cast<std::int64_t>(access));
    bool joins = false;  // the last range is of this access and of the lane before
    unsigned expected_lane = 0;
    for (std::uint64_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const std::uint64_t at = step.address[lane] + shift;
      if (joins) {
        LaneRange& last = ranges.back();
        if (at == last.end && lane == expected_lane) {
          last.end += step.access_bytes;
          ++expected_lane;
          continue;
        }
        if (at + step.access_bytes == last.end) continue;
      }
      ranges.push_back({at, at + step.access_bytes, lane, step.access_bytes});
      expected_lane = lane + 1;
      joins = true;
    }
  }
}

}  // namespace wavetank::check
