#include "dispatch/stepped_standstill.hpp"

#include <array>

#include <gtest/gtest.h>

namespace wavetank::dispatch {
namespace {

using namespace std::chrono_literals;

/// A launch of two waves whose windows take a millisecond each, a minute of them in all.
class TwoWaves {
 public:
  TwoWaves() {
    for (unsigned i = 0; i < 2; ++i) {
      waves_[i].vgpr = registers_[i].data();
      waves_[i].vgpr_count = 2;
    }
  }
  /// How often it is told that they stand still. `change(window)` changes them before each window
  /// and gives how many workgroups have begun or ended.
  template <class Change>
  int told_in_a_minute(Change change) {
    int told = 0;
    for (int window = 0; window < 60000; ++window) {
      const std::uint32_t changes = change(window);
      const auto all = [&] { return SteppedStandstill::Waves{&waves_[0], &waves_[1]}; };
      const SteppedStandstill::Clock::time_point now{window * 1ms};
      told += standstill_.window_passed(changes, now, all) ? 1 : 0;
    }
    return told;
  }
  std::uint32_t& vector_register(unsigned wave) { return registers_[wave][100]; }
  std::uint32_t& scalar_register(unsigned wave) { return waves_[wave].sgpr[3]; }

 private:
  std::array<std::array<std::uint32_t, 128>, 2> registers_{};
  std::array<machine::Wave, 2> waves_{};
  SteppedStandstill standstill_;
};

TEST(SteppedStandstill, IsToldOnceOfWavesThatWaitOrGoRound) {
  TwoWaves launch;
  EXPECT_EQ(launch.told_in_a_minute([&](int window) {
    launch.scalar_register(1) = window % 3;
    return 7;
  }),
            1);
}

TEST(SteppedStandstill, AWaveThatCountsInAnyRegisterMoves) {
  TwoWaves in_scalar, in_vector;
  EXPECT_EQ(in_scalar.told_in_a_minute([&](int) { return ++in_scalar.scalar_register(1), 7; }), 0);
  EXPECT_EQ(in_vector.told_in_a_minute([&](int) { return ++in_vector.vector_register(0), 7; }), 0);
}

TEST(SteppedStandstill, AWorkgroupThatBeginsOrEndsBeginsTheWaitAgain) {
  TwoWaves launch;
  EXPECT_EQ(launch.told_in_a_minute([](int window) { return window / 9999; }), 0);
  EXPECT_EQ(TwoWaves().told_in_a_minute([](int window) { return window / 12000; }), 1);
}

TEST(SteppedStandstill, AnAnswerThatComesLateIsNoLoop) {
  TwoWaves launch;
  EXPECT_EQ(launch.told_in_a_minute([&](int window) {
    launch.scalar_register(0) = launch.scalar_register(1) = window / 500;
    return 7;
  }),
            0);
}

}  // namespace
}  // namespace wavetank::dispatch
