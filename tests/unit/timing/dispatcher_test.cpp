// Where workgroups go and when their waves start, seen in the thread trace of one CU of MI210.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>

#include "scripted_launch.hpp"

namespace wavetank::timing::testing {
namespace {

/// Waves that sleep for 64 * 100 cycles.
const Script& sleeping() {
  static const Script script = Script(spec_of("mi210")).then("s_sleep 100").then("s_endpgm");
  return script;
}

/// A launch of workgroups that sleep.
profile::LaunchProfile launch_of(std::uint64_t groups, unsigned waves, std::uint32_t lds_bytes) {
  ScriptedGrid grid(sleeping(), groups, waves);
  return launch_of(grid, waves, lds_bytes);
}

std::vector<profile::TraceWave> waves_of_first_unit(std::uint64_t groups, unsigned waves,
                                                    std::uint32_t lds_bytes) {
  return launch_of(groups, waves, lds_bytes).trace.waves;
}

TEST(WorkgroupStays, TellWhichUnitHadWhichWorkgroupAndWhen) {
  const profile::LaunchProfile launch = launch_of(208, 4, 0);
  ASSERT_EQ(launch.stays.kept.size(), 208u);
  EXPECT_EQ(launch.stays.left_out, 0u);
  std::vector<unsigned> of_unit(104);
  for (const profile::WorkgroupStay& stay : launch.stays.kept) ++of_unit.at(stay.cu);
  EXPECT_EQ(of_unit, std::vector<unsigned>(104, 2)) << "they go round";
  for (const profile::TraceWave& wave : launch.trace.waves) {
    const auto& stay =
        *std::ranges::find(launch.stays.kept, wave.workgroup, &profile::WorkgroupStay::workgroup);
    EXPECT_EQ(stay.cu, 0u);
    EXPECT_LE(stay.begin_cycle, wave.begin_cycle);
    EXPECT_GE(stay.end_cycle, wave.end_cycle);
  }
}

TEST(Workgroups, BeginOnceAndInOrderWhereUnitsShareCaches) {
  constexpr std::uint64_t kGroups = 2000;
  ScriptedGrid grid(sleeping(), kGroups, 4);
  const profile::LaunchProfile launch = launch_of(grid, 4, 0);
  ASSERT_EQ(grid.begun().size(), kGroups);
  // Every eighth CU is of the same shader engine, in which two neighbours share caches.
  const auto pair_of = [](std::uint32_t cu) { return cu % 8 * 7 + cu / 8 / 2; };
  std::vector<std::uint32_t> pair_of_group(kGroups);
  for (const profile::WorkgroupStay& stay : launch.stays.kept) {
    pair_of_group[stay.workgroup] = pair_of(stay.cu);
  }
  std::vector<std::uint64_t> last_of_pair(56), times_begun(kGroups);
  for (const std::uint64_t workgroup : grid.begun()) {
    std::uint64_t& last = last_of_pair[pair_of_group[workgroup]];
    EXPECT_GE(workgroup, last);
    last = workgroup;
    ++times_begun[workgroup];
  }
  EXPECT_EQ(times_begun, std::vector<std::uint64_t>(kGroups, 1));
}

TEST(WorkgroupStays, OfAUnitTheFirstAndTheLastAreKept) {
  GroupStays stays;
  stays.start_launch(2);
  for (std::uint64_t i = 0; i < 100; ++i) stays.add({0, i, 10 * i, 10 * i + 10});
  stays.add({1, 100, 5, 8});
  const profile::WorkgroupStays kept = stays.take();
  EXPECT_EQ(kept.left_out, 100 - 2 * GroupStays::kKept);
  ASSERT_EQ(kept.kept.size(), 2 * GroupStays::kKept + 1);
  EXPECT_EQ(kept.kept[0].workgroup, 0u);
  EXPECT_EQ(kept.kept[1].workgroup, 100u) << "by begin";
  EXPECT_EQ(kept.kept[GroupStays::kKept].workgroup, GroupStays::kKept - 1);
  EXPECT_EQ(kept.kept[GroupStays::kKept + 1].workgroup, 100 - GroupStays::kKept);
  EXPECT_EQ(kept.kept.back().workgroup, 99u);
}

/// Cycles of workgroups of one wave each, of which one fits on a CU at a time.
std::uint64_t cycles_of_rounds(std::uint64_t groups, bool ends_evenly) {
  const auto device = target::load_device("mi210");
  auto model = DeviceModel::make(*device);
  TimingSpec spec = (*model)->spec();
  spec.ends_evenly = ends_evenly;
  Script script(spec);
  script.then("v_add_f32 v2, v1, v1", 2000).then("s_endpgm");
  ScriptedGrid grid(script, groups, 1);
  target::Resources resources;
  resources.lds_bytes = spec.lds.bytes;
  resources.workgroup_work_items = 64;
  LaunchSetup setup;
  setup.waves_per_group = 1;
  setup.occupancy = *target::occupancy(*device, resources);
  const auto profile = std::move(**model).with(spec)->simulate(grid, setup);
  EXPECT_TRUE(profile) << profile.error().to_text();
  return profile->cycles - profile->launch_cycles;
}

TEST(DispatcherTest, WithoutATailALaunchTakesAsManyRoundsAsItsWorkgroupsFill) {
  constexpr std::uint64_t kUnits = 104;
  const auto one = static_cast<double>(cycles_of_rounds(kUnits, false));
  EXPECT_NEAR(static_cast<double>(cycles_of_rounds(2 * kUnits + 1, false)) / one, 3, 0.2);
  EXPECT_NEAR(static_cast<double>(cycles_of_rounds(2 * kUnits + 1, true)) / one, 2, 0.2);
  EXPECT_NEAR(static_cast<double>(cycles_of_rounds(3 * kUnits / 2, true)) / one, 1.5, 0.2);
  EXPECT_EQ(cycles_of_rounds(kUnits, true), cycles_of_rounds(kUnits, false))
      << "what fits at once has no rate before its tail";
}

TEST(DispatcherTest, TheWavesOfAWorkgroupStartInFourCyclesEach) {
  const auto waves = waves_of_first_unit(1, 16, 0);
  ASSERT_EQ(waves.size(), 16u);
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(waves[i].begin_cycle - waves[0].begin_cycle, static_cast<std::uint64_t>(4.22 * i));
    EXPECT_EQ(waves[i].simd, i % 4) << "waves go round the SIMDs";
  }
}

/// Cycles in which a shader engine starts 13 workgroups, from the first on CU 0 to the second.
/// 104 CUs in 8 shader engines: the 105th workgroup is the 14th of the first engine.
std::uint64_t cycles_of_thirteen(unsigned waves, bool in_rows) {
  ScriptedGrid grid(sleeping(), 105, waves);
  const auto started = launch_of(grid, waves, 0, in_rows).trace.waves;
  EXPECT_EQ(started.size(), 2 * waves);
  return started[waves].begin_cycle - started[0].begin_cycle;
}

TEST(DispatcherTest, AShaderEngineStartsWavesOfOtherUnitsMeanwhileOneInFourCycles) {
  EXPECT_EQ(cycles_of_thirteen(16, false), static_cast<std::uint64_t>(13 * 16 * 4.22));
  EXPECT_EQ(cycles_of_thirteen(8, false), static_cast<std::uint64_t>(13 * 8 * 4.22));
}

TEST(DispatcherTest, WorkgroupsOfFewWavesTakeAShaderEngineSixteenCycles) {
  for (const unsigned waves : {1u, 3u}) {
    EXPECT_EQ(cycles_of_thirteen(waves, false), static_cast<std::uint64_t>(13 * 16.4)) << waves;
  }
}

TEST(DispatcherTest, InGridsOfSeveralRowsItTakesLonger) {
  EXPECT_EQ(cycles_of_thirteen(4, true), static_cast<std::uint64_t>(13 * 28.8));
  EXPECT_EQ(cycles_of_thirteen(8, true), cycles_of_thirteen(8, false));
}

TEST(DispatcherTest, EachUnitGetsOneWorkgroupBeforeAnyGetsASecond) {
  EXPECT_EQ(waves_of_first_unit(104, 1, 0).size(), 1u);
  EXPECT_EQ(waves_of_first_unit(105, 1, 0).size(), 2u);
}

TEST(DispatcherTest, WhatAWorkgroupHoldsIsGivenBackAtItsEnd) {
  // More than half of the LDS: one workgroup at a time.
  const auto one = waves_of_first_unit(208, 1, 40000);
  ASSERT_EQ(one.size(), 2u);
  EXPECT_GE(one[1].begin_cycle, one[0].end_cycle);
  // Half of it: two.
  const auto two = waves_of_first_unit(208, 1, 32768);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_LT(two[1].begin_cycle, two[0].end_cycle);
}

TEST(DispatcherTest, ThereIsRoomWhenTheLastWaveOfAWorkgroupHasEnded) {
  // Their stores leave one after the other, and all are acknowledged in one window.
  Script storing(spec_of("mi210"));
  storing.access("global_store_dwordx2 v0, v[8:9], s[0:1]",
                 [](unsigned lane) { return 0x10000 + 8 * lane; });
  storing.then("s_endpgm");
  constexpr unsigned kWaves = 4;
  ScriptedGrid grid(storing, 208, kWaves);
  const auto waves = launch_of(grid, kWaves, 40000).trace.waves;
  ASSERT_EQ(waves.size(), 2 * kWaves);
  const auto end = [](const profile::TraceWave& wave) { return wave.end_cycle; };
  const auto first = std::span(waves).first(kWaves);
  const std::uint64_t last = end(*std::ranges::max_element(first, {}, end));
  EXPECT_GT(last - end(*std::ranges::min_element(first, {}, end)), 100u);
  constexpr std::uint64_t kRelease = 20, kFirstWave = 78;
  EXPECT_EQ(waves[kWaves].begin_cycle, last + kRelease + kFirstWave);
}

TEST(DispatcherTest, AUnitHoldsThirtyTwoWaves) {
  const auto waves = waves_of_first_unit(104 * 33, 1, 0);
  ASSERT_GE(waves.size(), 33u);
  EXPECT_LT(waves[31].begin_cycle, waves[0].end_cycle);
  EXPECT_GE(waves[32].begin_cycle, waves[0].end_cycle);
}

}  // namespace
}  // namespace wavetank::timing::testing
