// How busy the levels of memory are, and how the channels of a level share its work.
#include "timing/describe_levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "scripted_launch.hpp"

namespace wavetank::timing {
namespace {

TEST(ChannelLoadTest, OneOfFourThatDoesMostIsTheOnlyCrowdedOne) {
  const auto load = channel_load(std::array{10.0, 60.0, 15.0, 15.0}, 100);
  EXPECT_EQ(load.channels, 4);
  EXPECT_EQ(load.busiest_percent, 60);
  EXPECT_EQ(load.crowded, 1);
  EXPECT_DOUBLE_EQ(load.crowded_percent, 60);
}

TEST(ChannelLoadTest, ThoseThatWorkWhileTheOthersRestAreAllCrowded) {
  const auto load = channel_load(std::array{0.0, 50.0, 0.0, 50.0, 0.0, 0.0}, 100);
  EXPECT_EQ(load.crowded, 2);
  EXPECT_DOUBLE_EQ(load.crowded_percent, 100);
}

TEST(ChannelLoadTest, EvenOnesAreNotCrowded) {
  const auto load = channel_load(std::array{25.0, 25.0}, 50);
  EXPECT_EQ(load.busiest_percent, 50);
  EXPECT_EQ(load.crowded, 0);
}

TEST(ChannelLoadTest, OfALevelThatDidNothingIsNothing) {
  const auto load = channel_load(std::array{0.0, 0.0}, 50);
  EXPECT_EQ(load.channels, 2);
  EXPECT_EQ(load.busiest_percent, 0);
  EXPECT_EQ(channel_load({}, 50).channels, 0) << "a level without channels";
}

/// Four waves on each CU that read the LDS 50 times, lanes so many bytes apart.
profile::LaunchProfile reads_of_lds(std::string_view text, unsigned stride, bool by_flat) {
  testing::Script script(testing::spec_of("mi210"));
  for (unsigned i = 0; i < 50; ++i) {
    script.access(text, [=](unsigned lane) { return std::uint64_t{stride} * lane; });
    if (by_flat) script.in_lds();
    script.then("s_waitcnt lgkmcnt(0)");
  }
  script.then("s_endpgm");
  testing::ScriptedGrid grid(script, 104, 4);
  return testing::launch_of(grid, 4, 32768);
}

const profile::LevelTraffic& lds_of(const profile::LaunchProfile& launch) {
  return *std::ranges::find(launch.levels, "LDS", &profile::LevelTraffic::name);
}

/// Percent of the launch that 4 * 50 reads are, each of which takes the banks for so many cycles.
double busy_with(const profile::LaunchProfile& launch, double bank_cycles) {
  return 100 * 200 * bank_cycles / static_cast<double>(launch.cycles);
}

TEST(LevelOfLds, IsBusyForAsLongAsItsBanksWork) {
  for (const bool by_flat : {false, true}) {
    const char* const text = by_flat ? "flat_load_dword v2, v[0:1]" : "ds_read_b32 v1, v0";
    const profile::LaunchProfile rows = reads_of_lds(text, 4, by_flat);
    const profile::LaunchProfile conflicts = reads_of_lds(text, 128, by_flat);
    EXPECT_NEAR(lds_of(rows).busy_percent, busy_with(rows, 2), 1e-6) << text;
    EXPECT_NEAR(lds_of(conflicts).busy_percent, busy_with(conflicts, 64), 1e-6) << text;
    EXPECT_GT(lds_of(conflicts).busy_percent, 70) << text;
    EXPECT_EQ(lds_of(conflicts).bytes_read, 104 * 4 * 50 * 64 * 4) << text;
  }
}

TEST(LevelOfLds, IsAsBusyAsTheUnit) {
  const profile::LaunchProfile launch = reads_of_lds("ds_read_b32 v1, v0", 32, false);
  const auto unit = std::ranges::find(launch.units, "LDS", &profile::UnitUse::name);
  EXPECT_EQ(lds_of(launch).busy_percent, unit->busy_percent);
}

// The buses of 4 waves carry 4 cycles of data for each read and 8 for each exchange of lanes, two
// SIMDs a bus.
TEST(LdsBus, IsBusyWithReadsAndWithExchanges) {
  const auto bus = [](const profile::LaunchProfile& launch) {
    return std::ranges::find(launch.units, profile::kLdsBus, &profile::UnitUse::name)->busy_percent;
  };
  const profile::LaunchProfile reads = reads_of_lds("ds_read_b32 v1, v0", 4, false);
  const profile::LaunchProfile exchanges = reads_of_lds("ds_bpermute_b32 v1, v0, v2", 4, false);
  const TimingSpec& spec = testing::spec_of("mi210");
  EXPECT_NEAR(bus(reads), busy_with(reads, 4 / 2.0), 1e-6);
  EXPECT_NEAR(bus(exchanges), busy_with(exchanges, spec.lds.permute_cycles / 2.0), 1e-6);
  EXPECT_EQ(lds_of(exchanges).busy_percent, 0) << "of its banks";
}

TEST(Conflicts, AreBookedAtTheInstructionThatHasThem) {
  for (const bool by_flat : {false, true}) {
    const char* const text = by_flat ? "flat_load_dword v2, v[0:1]" : "ds_read_b32 v1, v0";
    const profile::LaunchProfile launch = reads_of_lds(text, 128, by_flat);
    EXPECT_EQ(launch.instructions.at(0).lds_conflict_cycles, 104 * 4 * 62) << text;
    EXPECT_EQ(launch.instructions.at(1).lds_conflict_cycles, 0) << text;
  }
}

}  // namespace
}  // namespace wavetank::timing
