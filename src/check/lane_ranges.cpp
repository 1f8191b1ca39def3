#include "check/lane_ranges.hpp"

#include <bit>

namespace wavetank::check {
namespace {

/// True if the first `count` lanes follow each other without gaps: the common case, in one loop
/// that the host's vector unit takes.
bool are_contiguous(const machine::Step& step, unsigned count) {
  std::uint64_t differs = 0;
  for (unsigned lane = 0; lane < count; ++lane) {
    differs |= step.address[lane] ^ (step.address[0] + std::uint64_t{step.access_bytes} * lane);
  }
  return differs == 0;
}

}  // namespace

void collect_ranges(const machine::Step& step, std::uint64_t lanes,
                    std::vector<LaneRange>& ranges) {
  ranges.clear();
  const auto count = static_cast<unsigned>(std::countr_one(lanes));
  if (step.access_count == 1 && count != 0 && (count == 64 || lanes >> count == 0) &&
      are_contiguous(step, count)) {
    ranges.push_back(
        {step.address[0], step.address[0] + count * step.access_bytes, 0, step.access_bytes});
    return;
  }
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
