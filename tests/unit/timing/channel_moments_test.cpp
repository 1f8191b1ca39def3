// Channels that are even over a launch and uneven at a time.
#include "timing/channel_moments.hpp"

#include <gtest/gtest.h>

#include <array>

namespace wavetank::timing {
namespace {

constexpr std::uint64_t kLook = ChannelMoments::kLookCycles;
constexpr double kFull = kLook;

TEST(ChannelMomentsTest, ChannelsThatTakeTurnsAreBusyAllTheTimeTogether) {
  ChannelMoments moments;
  moments.look(kLook, std::array{kFull, 0.0});
  moments.look(2 * kLook, std::array{kFull, kFull});
  EXPECT_EQ(moments.busiest_cycles(), 2 * kFull);
}

TEST(ChannelMomentsTest, ChannelsThatWorkBesideEachOtherAreAsBusyAsOne) {
  ChannelMoments moments;
  moments.look(kLook, std::array{kFull / 2, kFull / 2});
  moments.look(2 * kLook, std::array{kFull, kFull});
  EXPECT_EQ(moments.busiest_cycles(), kFull);
}

TEST(ChannelMomentsTest, WorkThatAChannelCannotHaveDoneIsLeftForLater) {
  ChannelMoments moments;
  moments.look(kLook, std::array{3 * kFull, 0.0});
  EXPECT_EQ(moments.busiest_cycles(), kFull);
  moments.look(2 * kLook, std::array{3 * kFull, kFull / 2});
  EXPECT_EQ(moments.busiest_cycles(), 2 * kFull);
}

TEST(ChannelMomentsTest, ALookIsDueAfterItsCyclesAndALaunchStartsAnew) {
  ChannelMoments moments;
  EXPECT_FALSE(moments.is_due(kLook - 1));
  EXPECT_TRUE(moments.is_due(kLook));
  moments.look(kLook, std::array{10.0});
  EXPECT_FALSE(moments.is_due(2 * kLook - 1));
  moments.start_launch();
  EXPECT_EQ(moments.busiest_cycles(), 0);
  EXPECT_TRUE(moments.is_due(kLook));
}

}  // namespace
}  // namespace wavetank::timing
