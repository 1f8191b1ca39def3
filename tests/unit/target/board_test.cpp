#include "target/board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "target/load_device.hpp"

namespace wavetank::target {
namespace {

using testing::ElementsAre;

TEST(Board, ClockLevelsEndWithTheClockThatTheModelRunsAt) {
  const Device mi210 = load_device("mi210").value();
  EXPECT_THAT(clock_levels(mi210, "engine").mhz, ElementsAre(500, 800, 1700));
  EXPECT_EQ(clock_levels(mi210, "engine").idle, 1u);
  EXPECT_THAT(clock_levels(mi210, "memory").mhz, ElementsAre(400, 700, 1200, 1600));
  EXPECT_EQ(clock_levels(mi210, "memory").idle, 3u);
}

TEST(Board, AClockThatSleepsShowsTheRateOfItsSleepBeforeItsLevels) {
  const Device mi300x = load_device("mi300x").value();
  EXPECT_THAT(clock_levels(mi300x, "engine").mhz, ElementsAre(132, 500, 2100));
  EXPECT_TRUE(clock_levels(mi300x, "engine").deep_sleep);
  EXPECT_EQ(clock_levels(mi300x, "engine").idle, 0u);
  EXPECT_THAT(clock_levels(mi300x, "memory").mhz, ElementsAre(900, 1100, 1300));
  EXPECT_FALSE(clock_levels(mi300x, "memory").deep_sleep);
}

TEST(Board, AClockThatTheDescriptionLacksHasNoLevels) {
  EXPECT_TRUE(clock_levels(load_device("mi300x").value(), "display").mhz.empty());
}

TEST(Board, EverySlotHasItsOwnAddressAndIdentifier) {
  EXPECT_EQ(pci_address(0).bus + 1, pci_address(1).bus);
  EXPECT_EQ(unique_id_text(0).size(), 16u);
  EXPECT_NE(unique_id(0), unique_id(1));
}

TEST(Board, SaysTheProcessorAsTheKernelDriverDoes) {
  EXPECT_EQ(graphics_version(load_device("mi250x").value()), 90010u);
  EXPECT_EQ(graphics_version(load_device("mi300a").value()), 90402u);
}

}  // namespace
}  // namespace wavetank::target
