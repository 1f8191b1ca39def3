// When the rest of a launch need not be simulated: at a steady rate, with warm caches, and only if
// the launch is large.
#include "timing/dispatch/sampler.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace wavetank::timing {
namespace {

constexpr std::uint64_t kGroups = 100000, kResident = 100, kL2Bytes = 8u << 20;
constexpr double kInstructions = 4e6;  ///< of a whole launch: worth sampling

constexpr std::uint64_t kOfGroup = 40;    ///< instructions

struct Launch {
  std::uint64_t groups = kGroups;
  bool may_sample = true;
  double instructions = kInstructions;
  double l2_fill_bytes = 0;  ///< of the whole launch
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
    if (sampler.interval_ended(time, instructions, launch.l2_fill_bytes * share)) return interval;
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

TEST(SamplerTest, ARateThatDriftsIsNotKnown) {
  Sampler sampler;
  const auto slower = [](unsigned interval) { return std::uint64_t{5000} + 500 * interval; };
  EXPECT_EQ(intervals_until_decided(sampler, {}, slower), 0u);
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
  launch.l2_fill_bytes = 6.0 * kL2Bytes;
  EXPECT_GT(intervals_until_decided(sampler, launch, steady), 500u);
  launch.l2_fill_bytes = 0.9 * kL2Bytes;
  EXPECT_EQ(intervals_until_decided(sampler, launch, steady), 8u) << "it never leaves the L2";
}

}  // namespace
}  // namespace wavetank::timing
