#include "check/lane_ranges.hpp"

#include <gtest/gtest.h>

namespace wavetank::check {
namespace {

machine::Step step_of(std::uint64_t begin, std::int64_t stride, unsigned bytes) {
  machine::Step step;
  step.access_bytes = bytes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    step.address[lane] = begin + static_cast<std::uint64_t>(stride * static_cast<int>(lane));
  }
  return step;
}

std::vector<LaneRange> ranges_of(const machine::Step& step, std::uint64_t lanes) {
  std::vector<LaneRange> ranges;
  collect_ranges(step, lanes, ranges);
  return ranges;
}

TEST(LaneRanges, NeighboursThatGoOnShareARange) {
  const auto ranges = ranges_of(step_of(256, 8, 8), ~std::uint64_t{0});
  ASSERT_EQ(ranges.size(), 1u);
  EXPECT_EQ(ranges[0].begin, 256u);
  EXPECT_EQ(ranges[0].end, 256u + 512);
  EXPECT_EQ(ranges[0].lane_at(256 + 8 * 17 + 3), 17u);
}

TEST(LaneRanges, AnInactiveLaneEndsARange) {
  const auto ranges = ranges_of(step_of(0, 4, 4), ~std::uint64_t{0} & ~(std::uint64_t{1} << 10));
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].end, 40u);
  EXPECT_EQ(ranges[1].begin, 44u);
  EXPECT_EQ(ranges[1].lane_at(44), 11u);
}

TEST(LaneRanges, LanesOfOneAddressAreOneRange) {
  EXPECT_EQ(ranges_of(step_of(64, 0, 4), ~std::uint64_t{0}).size(), 1u);
}

TEST(LaneRanges, StridedLanesAreRangesOfTheirOwn) {
  EXPECT_EQ(ranges_of(step_of(0, 8, 4), 0xff).size(), 8u);
}

TEST(LaneRanges, TwoAccessesOfALaneAreTwoRanges) {
  machine::Step step = step_of(0, 4, 4);
  step.access_count = 2;
  step.access_stride = 1024;
  const auto ranges = ranges_of(step, ~std::uint64_t{0});
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[1].begin, 1024u);
}

}  // namespace
}  // namespace wavetank::check
