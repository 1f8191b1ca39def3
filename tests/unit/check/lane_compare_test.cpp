#include "check/lane_compare.hpp"

#include <gtest/gtest.h>

#include <array>

namespace wavetank::check {
namespace {

using Register = std::array<std::uint32_t, 64>;

Register ramp(std::uint32_t first, std::uint32_t step) {
  Register result;
  for (std::uint32_t lane = 0; lane < 64; ++lane) result[lane] = first + step * lane;
  return result;
}

constexpr std::uint64_t kAllButFirst = ~std::uint64_t{1};

TEST(LaneCompare, LanesOfARampFollowEachOther) {
  const Register low = ramp(100, 4);
  EXPECT_EQ(lane_steps(low.data(), nullptr, 4).follow, kAllButFirst);
  EXPECT_EQ(lane_steps(low.data(), nullptr, 4).repeat, 0u);
  EXPECT_EQ(lane_steps(low.data(), nullptr, 8).follow, 0u);
}

TEST(LaneCompare, EqualLanesRepeat) {
  const Register low = ramp(100, 0);
  EXPECT_EQ(lane_steps(low.data(), nullptr, 4).repeat, kAllButFirst);
  EXPECT_EQ(lane_steps(low.data(), nullptr, 4).follow, 0u);
}

TEST(LaneCompare, TheHighHalvesHaveToBeEqual) {
  const Register low = ramp(100, 4);
  Register high = ramp(7, 0);
  high[20] = 8;
  const std::uint64_t expected = kAllButFirst & ~(std::uint64_t{3} << 20);
  EXPECT_EQ(lane_steps(low.data(), high.data(), 4).follow, expected);
}

TEST(LaneCompare, DifferencesAreFoundInTheirLanes) {
  const Register a = ramp(0, 1);
  Register b = a;
  EXPECT_EQ(lanes_that_differ(a.data(), b.data()), 0u);
  b[0] = 1;
  b[63] = 1;
  EXPECT_EQ(lanes_that_differ(a.data(), b.data()), std::uint64_t{1} << 63 | 1);
}

}  // namespace
}  // namespace wavetank::check
