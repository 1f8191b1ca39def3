#include "dispatch/stepped_standstill.hpp"

#include <array>

#include <gtest/gtest.h>

namespace wavetank::dispatch {
namespace {

using namespace std::chrono_literals;

/// A launch of two waves whose calls come each millisecond, a minute of them in all.
class TwoWaves {
 public:
  TwoWaves() {
    for (unsigned i = 0; i < 2; ++i) {
      waves_[i].vgpr = registers_[i].data();
      waves_[i].vgpr_count = 2;
    }
  }
  /// How often it is told that they stand still. `change(call)` changes them before each call and
  /// gives how many workgroups have begun or ended.
  template <class Change>
  int told_in_a_minute(Change change) {
    int told = 0;
    for (int call = 0; call < 60000; ++call) {
      const std::uint32_t changes = change(call);
      const auto all = [&] { return SteppedStandstill::Waves{&waves_[0], &waves_[1]}; };
      const SteppedStandstill::Clock::time_point now{call * 1ms};
      told += standstill_.windows_passed(changes, now, all) ? 1 : 0;
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
  EXPECT_EQ(launch.told_in_a_minute([&](int call) {
    launch.scalar_register(1) = call % 3;
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
  EXPECT_EQ(launch.told_in_a_minute([](int call) { return call / 9999; }), 0);
  EXPECT_EQ(TwoWaves().told_in_a_minute([](int call) { return call / 12000; }), 1);
}

TEST(SteppedStandstill, AnAnswerThatComesLateIsNoLoop) {
  TwoWaves launch;
  EXPECT_EQ(launch.told_in_a_minute([&](int call) {
    launch.scalar_register(0) = launch.scalar_register(1) = call / 7;
    return 7;
  }),
            0);
}

}  // namespace
}  // namespace wavetank::dispatch
