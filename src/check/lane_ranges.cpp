#include "check/lane_ranges.hpp"

#include <bit>

#include "check/lane_compare.hpp"

namespace wavetank::check {
namespace {

using machine::LaneAddresses;
using machine::Step;

/// Where each lane's access lies, from its first one.
std::uint64_t shift_of(const Step& step, unsigned access) {
  return static_cast<std::uint64_t>(step.access_stride * static_cast<std::int64_t>(access));
}

/// Adds the ranges of one access of each lane, lane by lane.
void collect_lane_by_lane(const Step& step, std::uint64_t lanes, unsigned access,
                          std::vector<LaneRange>& ranges) {
  const std::uint64_t shift = shift_of(step, access);
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
    ranges.push_back({at, at + step.access_bytes, lane, step.access_bytes, access});
    expected_lane = lane + 1;
    joins = true;
  }
}

/// Adds the ranges of the lanes' first accesses by comparing registers; false if their sums wrap.
bool collect_by_register(const Step& step, std::uint64_t lanes, std::vector<LaneRange>& ranges) {
  const LaneAddresses& address = step.address;
  LaneSteps steps = lane_steps(address.low(), address.high(), step.access_bytes);
  const std::uint64_t has_predecessor = lanes & lanes << 1;
  steps.repeat &= has_predecessor;
  steps.follow &= has_predecessor & ~(steps.repeat << 1);
  for (std::uint64_t left = lanes & ~steps.repeat & ~steps.follow; left != 0; left &= left - 1) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    const unsigned more = first == 63 ? 0 : std::countr_one(steps.follow >> (first + 1));
    const std::uint64_t begin = address[first];
    if (address[first + more] - begin != std::uint64_t{more} * step.access_bytes) return false;
    ranges.push_back({begin, begin + (more + 1) * step.access_bytes, first, step.access_bytes});
  }
  return true;
}

/// Adds the ranges of further accesses of each lane to those of the first.
void add_further_accesses(const Step& step, std::vector<LaneRange>& ranges) {
  const std::size_t count = ranges.size();
  for (unsigned access = 1; access < step.access_count; ++access) {
    const std::uint64_t shift = shift_of(step, access);
    for (std::size_t i = 0; i < count; ++i) {
      LaneRange range = ranges[i];
      range.begin += shift;
      range.end += shift;
      range.access = access;
      ranges.push_back(range);
    }
  }
}

}  // namespace

void collect_ranges(const Step& step, std::uint64_t lanes, std::vector<LaneRange>& ranges) {
  ranges.clear();
  if (std::has_single_bit(lanes)) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint64_t begin = step.address[lane];
    ranges.push_back({begin, begin + step.access_bytes, lane, step.access_bytes});
    return add_further_accesses(step, ranges);
  }
  if (step.address.low() != nullptr && collect_by_register(step, lanes, ranges)) {
    return add_further_accesses(step, ranges);
  }
  ranges.clear();
  for (unsigned access = 0; access < step.access_count; ++access) {
    collect_lane_by_lane(step, lanes, access, ranges);
  }
}

}  // namespace wavetank::check
