#include "check/lane_ranges.hpp"

#include <gtest/gtest.h>

#include <array>

namespace wavetank::check {
namespace {

machine::Step step_of(std::uint64_t begin, std::int64_t stride, unsigned bytes) {
  machine::Step step;
  step.access_bytes = bytes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    step.address.slot(lane) = begin + static_cast<std::uint64_t>(stride * static_cast<int>(lane));
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

TEST(LaneRanges, OneLaneHasARangeForEachOfItsAccesses) {
  machine::Step step = step_of(4096, 16, 8);
  step.access_count = 2;
  step.access_stride = -64;
  const auto ranges = ranges_of(step, std::uint64_t{1} << 5);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].begin, 4096u + 80);
  EXPECT_EQ(ranges[1].begin, 4096u + 16);
  EXPECT_EQ(ranges[1].end, 4096u + 24);
  EXPECT_EQ(ranges[1].lane_at(4096 + 16), 5u);
  EXPECT_EQ(ranges[0].access, 0u);
  EXPECT_EQ(ranges[1].access, 1u);
}

TEST(LaneRanges, LanesOfOneAddressAreOneRange) {
  EXPECT_EQ(ranges_of(step_of(64, 0, 4), ~std::uint64_t{0}).size(), 1u);
}

/// The same from registers, of which the step says no more than where they are.
TEST(LaneRanges, RegistersGiveTheSameRangesAsAddresses) {
  std::array<std::uint32_t, 64> low, high;
  const std::uint64_t lanes = ~std::uint64_t{0} & ~(std::uint64_t{1} << 50);
  for (unsigned lane = 0; lane < 64; ++lane) {
    // Rows of 16, repeated lanes, and a carry into the upper half within a range.
    const std::uint64_t row = lane / 16, column = lane % 16;
    const std::uint64_t address = 0xfffffff0u + row * 4096 + 4 * (column < 4 ? column : column - 1);
    low[lane] = static_cast<std::uint32_t>(address);
    high[lane] = static_cast<std::uint32_t>(address >> 32);
  }
  for (const std::uint64_t base : {0u, 12u, 4096u}) {
    for (const unsigned count : {1u, 2u}) {
      machine::Step step;
      step.access_bytes = 4;
      step.access_count = count;
      step.access_stride = 64;
      step.address.refer(low.data(), high.data(), base);
      const auto by_register = ranges_of(step, lanes);
      step.address.settle();
      const auto by_address = ranges_of(step, lanes);
      ASSERT_EQ(by_register.size(), by_address.size());
      for (std::size_t i = 0; i < by_address.size(); ++i) {
        EXPECT_EQ(by_register[i].begin, by_address[i].begin);
        EXPECT_EQ(by_register[i].end, by_address[i].end);
        EXPECT_EQ(by_register[i].first_lane, by_address[i].first_lane);
        EXPECT_EQ(by_register[i].access, by_address[i].access);
      }
    }
  }
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
