// When the rest of a launch need not be simulated: at a steady rate, with warm caches, and only if
// the launch is large.
#include "timing/dispatch/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace wavetank::timing {
namespace {

constexpr std::uint64_t kGroups = 100000, kResident = 100, kL2Bytes = 8u << 20;
constexpr double kInstructions = 2e8;     ///< of a whole launch: eight intervals are enough of it
constexpr double kFewInstructions = 4e6;  ///< of one that may be simulated to its end

constexpr std::uint64_t kOfGroup = 40;  ///< instructions

struct Launch {
  std::uint64_t groups = kGroups;
  bool may_sample = true;
  double instructions = kInstructions;
  double l2_written_bytes = 0;  ///< of the whole launch
  double l2_read_bytes = 0;     ///< the same
  double l2_missed_bytes = 0;   ///< of these, that come to the L2, evenly ...
  double missed_until = 1;      ///< ... up to this share of the launch
};

/// Ends workgroups one after the other; interval i of 100 groups takes `cycles(i)`. Gives the
/// number of intervals after which the sampler has enough, 0 if it never has.
unsigned intervals_until_decided(Sampler& sampler, const Launch& launch,
                                 const std::function<std::uint64_t(unsigned)>& cycles) {
  sampler.start_launch(launch.groups, kResident, kL2Bytes, launch.may_sample);
  std::uint64_t time = 0;
  unsigned interval = 0;
  for (std::uint64_t group = 1; group <= launch.groups; ++group) {
    if (!sampler.ends_interval(kOfGroup)) continue;
    time += cycles(interval++);
    const double share = static_cast<double>(group) / static_cast<double>(launch.groups);
    const auto instructions = static_cast<std::uint64_t>(launch.instructions * share);
    const double missed = std::min(share / launch.missed_until, 1.0);
    const bool enough =
        sampler.interval_ended({.time = time,
                                .instructions = instructions,
                                .l2_read_bytes = launch.l2_read_bytes * share,
                                .l2_missed_bytes = launch.l2_missed_bytes * missed,
                                .l2_written_bytes = launch.l2_written_bytes * share});
    if (enough) return interval;
  }
  return 0;
}

std::uint64_t steady(unsigned) { return 5000; }

TEST(SamplerTest, ASteadyLaunchIsKnownAfterEightIntervals) {
  Sampler sampler;
  EXPECT_EQ(intervals_until_decided(sampler, {}, steady), 8u);
  EXPECT_DOUBLE_EQ(sampler.cycles_per_group(), 50.0);
  EXPECT_DOUBLE_EQ(sampler.instructions_per_group(), 40.0);
  EXPECT_DOUBLE_EQ(sampler.uncertainty_percent(), 0.0);
}

TEST(SamplerTest, ALaunchThatMayNotBeSampledIsSimulatedWhole) {
  Sampler sampler;
  Launch launch;
  launch.may_sample = false;
  EXPECT_EQ(intervals_until_decided(sampler, launch, steady), 0u);
}

TEST(SamplerTest, ALaunchOfUpToSixTimesWhatTheDeviceHoldsIsSimulatedWhole) {
  Sampler sampler;
  Launch launch;
  launch.groups = 6 * kResident;
  EXPECT_EQ(intervals_until_decided(sampler, launch, steady), 0u);
}

TEST(SamplerTest, ASmallLaunchIsSimulatedWhole) {
  Sampler sampler;
  Launch launch;
  launch.instructions = 2.9e6;
  EXPECT_EQ(intervals_until_decided(sampler, launch, steady), 0u);
}

TEST(SamplerTest, OfALargeLaunchHalfAsMuchIsSeenAsOfOneThatIsSimulatedWhole) {
  Sampler sampler;
  const unsigned intervals =
      intervals_until_decided(sampler, {.instructions = kFewInstructions}, steady);
  EXPECT_EQ(intervals, 375u) << "1.5 of 4 million";
}

TEST(SamplerTest, ARateThatDriftsIsNotKnown) {
  Sampler sampler;
  const auto slower = [](unsigned interval) { return std::uint64_t{5000} + 500 * interval; };
  EXPECT_EQ(intervals_until_decided(sampler, {.instructions = kFewInstructions}, slower), 0u);
}

TEST(SamplerTest, AWarmUpAtTheBeginningDoesNotCount) {
  Sampler sampler;
  const auto warming = [](unsigned interval) { return interval < 4 ? 20000u : 5000u; };
  EXPECT_EQ(intervals_until_decided(sampler, {}, warming), 8u);
  EXPECT_DOUBLE_EQ(sampler.cycles_per_group(), 50.0);
}

TEST(SamplerTest, WhatFillsTheL2IsNotKnownUntilItIsFull) {
  Sampler sampler;
  Launch launch;
  // The L2 is filled three times after half of the launch.
  launch.l2_written_bytes = 6.0 * kL2Bytes;
  launch.instructions = kFewInstructions;
  EXPECT_GT(intervals_until_decided(sampler, launch, steady), 500u);
  launch.l2_written_bytes = 0.9 * kL2Bytes;
  launch.instructions = kInstructions;
  EXPECT_EQ(intervals_until_decided(sampler, launch, steady), 8u) << "it never leaves the L2";
}

TEST(SamplerTest, WhatTheL2HoldsAllOfMustHaveComeBeforeTheHalfThatCounts) {
  Sampler sampler;
  Launch launch;
  launch.l2_read_bytes = 100.0 * kL2Bytes;
  launch.l2_missed_bytes = 0.1 * kL2Bytes;
  launch.missed_until = 0.02;
  const unsigned intervals = intervals_until_decided(sampler, launch, steady);
  EXPECT_GE(intervals, 28u);
  EXPECT_LE(intervals, 36u);
  launch.l2_missed_bytes = 0;
  EXPECT_EQ(intervals_until_decided(sampler, launch, steady), 8u);
}

}  // namespace
}  // namespace wavetank::timing
