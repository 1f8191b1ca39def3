// What passes a resource, in whatever order it is asked.
#include "timing/bandwidth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace wavetank::timing::testing {
namespace {

TEST(BandwidthTest, PassesItsRateAndNoMore) {
  Bandwidth port(2.0);
  EXPECT_EQ(port.reserve(992, 2), 992u + 1);
  std::uint64_t end = 0;
  Bandwidth busy(2.0);
  for (unsigned i = 0; i < 100; ++i) end = busy.reserve(0, 64);
  EXPECT_EQ(end, 100u * 64 / 2);
  EXPECT_EQ(busy.passed(), 6400.0);
}

TEST(BandwidthTest, ARequestThatComesLateInOrderTakesTheRoomThatWasLeft) {
  Bandwidth port(1.0);
  port.reserve(1000, 64);
  EXPECT_LT(port.reserve(100, 8), 200u);
}

TEST(BandwidthTest, ALaunchFindsNothingOfTheOneBefore) {
  Bandwidth fresh(0.7, 5, 8), used(0.7, 5, 8);
  for (std::uint64_t i = 0; i < 400; ++i) used.reserve(i * 37 % 1000, 9);
  used.start_launch();
  EXPECT_EQ(used.busy_cycles(), 0.0);
  for (std::uint64_t i = 0; i < 400; ++i) {
    const std::uint64_t time = i * 53 % 700;
    EXPECT_EQ(used.reserve(time, 5), fresh.reserve(time, 5)) << "request " << i;
  }
}

TEST(BandwidthTest, AShortLaunchLeavesNothingEither) {
  Bandwidth port(1.0);
  port.start_launch();
  for (unsigned launch = 0; launch < 3; ++launch) {
    EXPECT_EQ(port.reserve(0, 32), 32u) << "launch " << launch;
    EXPECT_EQ(port.reserve(40, 32), 64u);
    port.start_launch();
  }
}

TEST(BandwidthTest, RequestsTakeTheFirstRoomWhateverTheirOrder) {
  // Against windows that are all looked at.
  constexpr std::uint64_t kWindow = 32;
  std::mt19937_64 random(5);
  for (unsigned round = 0; round < 50; ++round) {
    const double rate = 0.25 + static_cast<double>(random() % 8) / 4;
    Bandwidth port(rate);
    std::vector<double> used(2000);
    for (unsigned i = 0; i < 600; ++i) {
      // Now and then nobody asks for long, then many ask at once.
      const std::uint64_t time = random() % 2000 + i / 100 * 3000;
      double units = 1 + static_cast<double>(random() % 16) / 2;
      const double asked = units;
      std::uint64_t window = time / kWindow, end = time;
      while (units > 0) {
        const double taken = std::min(units, rate * kWindow - used[window]);
        used[window] += taken;
        units -= taken;
        if (taken > 0) {
          end = std::max(end, window * kWindow +
                                  static_cast<std::uint64_t>(used[window] * (1 / rate) + 0.999));
        }
        ++window;
      }
      ASSERT_EQ(port.reserve(time, asked), end) << "round " << round << ", request " << i;
    }
  }
}

TEST(BandwidthTest, AFullWindowPushesARequestToTheNext) {
  Bandwidth port(1.0);  // windows of 32 cycles
  EXPECT_EQ(port.reserve(0, 32), 32u);
  EXPECT_EQ(port.reserve(0, 1), 33u);
  EXPECT_EQ(port.reserve(40, 1), 40u) << "beyond them there is room at once";
}

}  // namespace
}  // namespace wavetank::timing::testing
