#include "dispatch/standstill.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace wavetank::dispatch {
namespace {

using namespace std::chrono_literals;
using enum Standstill::Judgement;

/// What the next look finds, however long it is until then.
template <class Part, class Whole>
Standstill::Judgement next_look(Standstill& standstill, Part part, Whole whole) {
  while (true) {
    const auto judgement = standstill.judge(part, whole);
    if (judgement != kTooEarly) return judgement;
  }
}
constexpr auto kSeven = [] { return std::uint64_t{7}; };
constexpr auto kEight = [] { return std::uint64_t{8}; };

TEST(Standstill, GroupsStandStillOnceTwoLooksAtAllFindTheSame) {
  Standstill standstill;
  EXPECT_EQ(standstill.judge(kSeven, kSeven), kTooEarly);
  EXPECT_EQ(next_look(standstill, kSeven, kSeven), kMoved);
  EXPECT_EQ(next_look(standstill, kSeven, kSeven), kMoved);
  EXPECT_EQ(next_look(standstill, kSeven, kSeven), kStill);
  EXPECT_EQ(next_look(standstill, kSeven, kSeven), kStill);
  EXPECT_EQ(next_look(standstill, kSeven, kEight), kMoved);
  EXPECT_EQ(next_look(standstill, kSeven, kEight), kStill);
  EXPECT_EQ(next_look(standstill, kEight, kEight), kMoved);
}

TEST(Standstill, AllIsLookedAtOnlyWhereThePartStaysAsItIs) {
  Standstill standstill;
  std::uint64_t part = 0, looks = 0;
  const auto whole = [&] { return ++looks; };
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(next_look(standstill, [&] { return ++part; }, whole), kMoved);
  }
  EXPECT_EQ(looks, 0u);
  next_look(standstill, [&] { return part; }, whole);
  EXPECT_EQ(looks, 1u);
}

TEST(Standstill, GroupsThatChangeNeverStandStill) {
  Standstill standstill;
  std::uint64_t state = 0;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(next_look(standstill, kSeven, [&] { return ++state; }), kMoved);
  }
}

TEST(LongStandstill, IsOneInWhichNobodyMoves) {
  LongStandstill standstill;
  const LongStandstill::Clock::time_point begin{};
  EXPECT_FALSE(standstill.is_long(7, begin));
  EXPECT_FALSE(standstill.is_long(7, begin + LongStandstill::kLong - 1ns));
  EXPECT_TRUE(standstill.is_long(7, begin + LongStandstill::kLong));
  EXPECT_FALSE(standstill.is_long(8, begin + LongStandstill::kLong)) << "another worker moved";
  EXPECT_FALSE(standstill.is_long(8, begin + LongStandstill::kLong + 1s));
  EXPECT_TRUE(standstill.is_long(8, begin + 2 * LongStandstill::kLong));
}

TEST(Standstill, WorkInBetweenBeginsTheWaitAgain) {
  Standstill standstill;
  for (int i = 0; i < 3; ++i) next_look(standstill, kSeven, kSeven);
  standstill.end();
  EXPECT_EQ(standstill.judge(kSeven, kSeven), kTooEarly);
  EXPECT_EQ(next_look(standstill, kSeven, kSeven), kMoved);
}

TEST(Movement, WhoSleepsIsWokenAndWhoMissedItDoesNotSleep) {
  Movement movement;
  const std::uint32_t before = movement.count();
  movement.tell();
  EXPECT_NE(movement.count(), before);
  // Each sleep that lasts takes 100 us and more.
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) movement.sleep(before);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1000 * 50us);
}

TEST(Movement, ASleepEndsWithoutAnyoneWhoTells) {
  Movement movement;
  movement.sleep(movement.count());
}

}  // namespace
}  // namespace wavetank::dispatch
