#include "timing/units/slot_times.hpp"

#include <gtest/gtest.h>

#include <random>

namespace wavetank::timing {
namespace {

constexpr std::uint8_t kVector = 0, kScalar = 1, kInternal = 5;

TEST(SlotTimes, TheEarliestSlotIsTheOneWhoseTimeAndUnitComeFirst) {
  SlotTimes times;
  EXPECT_EQ(times.earliest(), kNever);
  times.set(3, 100, kVector);
  times.set(5, 90, kScalar);
  EXPECT_EQ(times.earliest(), 90u);
  times.set_unit(kScalar, 200);
  EXPECT_EQ(times.earliest(), 100u);
  times.hold(3);
  EXPECT_EQ(times.earliest(), 200u);
}

TEST(SlotTimes, ASlotIsReadyAtItsTimeAndNotACycleBefore) {
  SlotTimes times;
  times.set(0, 50, kVector);
  times.set(7, 60, kInternal);
  const SlotTimes::Ready before = times.ready_at(49);
  EXPECT_EQ(before.slots, 0u);
  EXPECT_EQ(before.next, 50u);
  EXPECT_EQ(times.ready_at(50).slots, 1u);
  EXPECT_EQ(times.ready_at(60).slots, 1u | 1u << 7);
}

TEST(SlotTimes, TimesFarApartAreNotRounded) {
  constexpr std::uint64_t kLater = std::uint64_t{5} << 32;
  SlotTimes times;
  times.set(0, kLater + 1, kVector);
  times.set(1, kLater + 70000, kVector);
  EXPECT_EQ(times.earliest(), kLater + 1);
  EXPECT_EQ(times.ready_at(kLater + 1).slots, 1u);
  times.hold(0);
  EXPECT_EQ(times.earliest(), kLater + 70000);
  // A wave that began long before takes the slot of another.
  times.set(2, 3, kVector);
  EXPECT_EQ(times.earliest(), 3u);
  EXPECT_EQ(times.ready_at(3).slots, 1u << 2);
}

TEST(SlotTimes, WhateverTheDistancesTheyAgreeWithTheCyclesThemselves) {
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < 200; ++round) {
    SlotTimes times;
    std::uint64_t now = random() % 100000;
    for (unsigned look = 0; look < 200; ++look) {
      const std::uint64_t reach = std::uint64_t{1} << random() % 20;
      const auto near_now = [&] {
        return now + random() % reach - std::min(now, random() % reach);
      };
      const auto slot = static_cast<unsigned>(random() % kSlotsPerSimd);
      if (random() % 4 == 0)
        times.hold(slot);
      else
        times.set(slot, near_now(), static_cast<std::uint8_t>(random() % (kBothUnits + 1)));
      for (const std::uint8_t unit : {0, 1, 2, 3, 6}) {
        if (random() % 2 == 0) times.set_unit(unit, near_now());
      }
      std::uint64_t earliest = kNever;
      unsigned ready = 0;
      for (unsigned i = 0; i < kSlotsPerSimd; ++i) {
        if ((times.awake() >> i & 1) == 0) continue;
        const std::uint64_t from = std::max(times[i], times.unit_time(times.unit_of(i)));
        earliest = std::min(earliest, from);
        if (from <= now) ready |= 1u << i;
      }
      ASSERT_EQ(times.earliest(), earliest);
      const SlotTimes::Ready found = times.ready_at(now);
      ASSERT_EQ(found.slots, ready);
      if (ready == 0) {
        ASSERT_EQ(found.next, earliest);
      }
      now += random() % reach;
    }
  }
}

}  // namespace
}  // namespace wavetank::timing
