// How the channels of a level share its work.
#include "timing/describe_levels.hpp"

#include <gtest/gtest.h>

#include <array>

namespace wavetank::timing {
namespace {

TEST(ChannelLoadTest, OneOfFourThatDoesMostIsTheOnlyCrowdedOne) {
  const auto load = channel_load(std::array{10.0, 60.0, 15.0, 15.0}, 100);
  EXPECT_EQ(load.channels, 4);
  EXPECT_EQ(load.busiest_percent, 60);
  EXPECT_EQ(load.crowded, 1);
  EXPECT_DOUBLE_EQ(load.crowded_percent, 60);
}

TEST(ChannelLoadTest, ThoseThatWorkWhileTheOthersRestAreAllCrowded) {
  const auto load = channel_load(std::array{0.0, 50.0, 0.0, 50.0, 0.0, 0.0}, 100);
  EXPECT_EQ(load.crowded, 2);
  EXPECT_DOUBLE_EQ(load.crowded_percent, 100);
}

TEST(ChannelLoadTest, EvenOnesAreNotCrowded) {
  const auto load = channel_load(std::array{25.0, 25.0}, 50);
  EXPECT_EQ(load.busiest_percent, 50);
  EXPECT_EQ(load.crowded, 0);
}

TEST(ChannelLoadTest, OfALevelThatDidNothingIsNothing) {
  const auto load = channel_load(std::array{0.0, 0.0}, 50);
  EXPECT_EQ(load.channels, 2);
  EXPECT_EQ(load.busiest_percent, 0);
  EXPECT_EQ(channel_load({}, 50).channels, 0) << "a level without channels";
}

}  // namespace
}  // namespace wavetank::timing
