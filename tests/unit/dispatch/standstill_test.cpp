#include "dispatch/standstill.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace wavetank::dispatch {
namespace {

using namespace std::chrono_literals;
using enum Standstill::Judgement;

/// What the next look finds, however long it is until then.
template <class State>
Standstill::Judgement next_look(Standstill& standstill, State state) {
  while (true) {
    const auto judgement = standstill.judge(state);
    if (judgement != kTooEarly) return judgement;
  }
}

TEST(Standstill, GroupsStandStillOnceTwoLooksFindTheSame) {
  Standstill standstill;
  const auto state = [] { return std::uint64_t{7}; };
  EXPECT_EQ(standstill.judge(state), kTooEarly);
  EXPECT_EQ(next_look(standstill, state), kMoved);
  EXPECT_EQ(next_look(standstill, state), kStill);
  EXPECT_EQ(next_look(standstill, state), kStill);
  EXPECT_EQ(next_look(standstill, [] { return std::uint64_t{8}; }), kMoved);
}

TEST(Standstill, GroupsThatChangeNeverStandStill) {
  Standstill standstill;
  std::uint64_t state = 0;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(next_look(standstill, [&] { return ++state; }), kMoved);
  }
}

TEST(Standstill, WorkInBetweenBeginsTheWaitAgain) {
  Standstill standstill;
  const auto state = [] { return std::uint64_t{7}; };
  next_look(standstill, state);
  standstill.end();
  EXPECT_EQ(standstill.judge(state), kTooEarly);
  EXPECT_EQ(next_look(standstill, state), kMoved);
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
