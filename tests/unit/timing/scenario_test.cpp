// Launches without a cause: what changes make of the model's numbers.
#include "timing/scenario.hpp"
#include "timing/memory/memory_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/change.hpp"
#include "target/load_device.hpp"
#include "timing/memory/memory_system.hpp"
#include "timing/spec_reader.hpp"

namespace wavetank::timing {
namespace {

using ::testing::HasSubstr;

Scenario scenario_of(const char* name) {
  Scenario scenario;
  scenario.device = *target::load_device(name);
  scenario.resources.arch_vgprs = 100;
  scenario.resources.workgroup_work_items = 256;
  scenario.spec = *read_spec(scenario.device);
  scenario.setup.waves_per_group = 4;
  scenario.setup.occupancy = *target::occupancy(scenario.device, scenario.resources);
  return scenario;
}

Scenario with(const char* device, std::string_view change) {
  const Result<Scenario> result = changed(scenario_of(device), change);
  EXPECT_TRUE(result) << change << ": " << (result ? "" : result.error().to_text());
  return result ? *result : scenario_of(device);
}

std::string refusal(std::string_view change) {
  const Result<Scenario> result = changed(scenario_of("mi210"), change);
  return result ? "" : result.error().to_text();
}

TEST(Scenario, TheModelKnowsWhatToDoWithEveryChangeThatHasAName) {
  std::vector<std::string_view> names;
  for (const profile::ChangeRow& row : profile::change_rows()) names.push_back(row.name);
  EXPECT_EQ(bound_changes(), names);
}

TEST(Scenario, WithoutALevelsLatencyThoseBehindItAreNearerByAsMuch) {
  const TimingSpec before = scenario_of("mi300x").spec;
  const TimingSpec after = with("mi300x", "mall.latency=none").spec;
  EXPECT_EQ(after.l2.hit_latency, before.l2.hit_latency);
  EXPECT_EQ(after.mall.hit_latency, before.l2.hit_latency);
  EXPECT_EQ(before.hbm.latency - after.hbm.latency,
            before.mall.hit_latency - before.l2.hit_latency);
}

TEST(Scenario, WithoutAMallMemoryLiesBehindTheL2) {
  const TimingSpec before = scenario_of("mi210").spec;
  EXPECT_EQ(with("mi210", "hbm.latency=none").spec.hbm.latency, before.l2.hit_latency);
  EXPECT_EQ(with("mi210", "mall.latency=none").spec.hbm.latency, before.hbm.latency);
}

TEST(Scenario, HalfALatencyIsHalfOfWhatTheLevelAdds) {
  const TimingSpec before = scenario_of("mi210").spec;
  const std::uint32_t own = before.hbm.latency - before.l2.hit_latency;
  EXPECT_NEAR(with("mi210", "hbm.latency=0.5x").spec.hbm.latency, before.l2.hit_latency + own / 2.0,
              1);
}

TEST(Scenario, BandwidthTakesAMultiple) {
  const double peak = scenario_of("mi210").spec.hbm.peak_bytes_per_cycle;
  EXPECT_DOUBLE_EQ(with("mi210", "hbm.bandwidth=2x").spec.hbm.peak_bytes_per_cycle, 2 * peak);
}

TEST(Scenario, WithoutContentionAtomicsOfOneAddressFollowInACycle) {
  for (const char* const device : {"mi210", "mi300x"}) {
    const TimingSpec spec = with(device, "atomics.contention=off").spec;
    MemorySystem memory(spec);
    const auto atomic = [&] {
      return memory.serve(0, {.kind = MemoryRequest::Kind::kAtomic,
                              .amount = 64,
                              .scope = {},
                              .address = 1 << 30,
                              .time = 100020});
    };
    const std::uint64_t first = atomic();
    for (unsigned i = 0; i < 100; ++i) atomic();
    EXPECT_LE(atomic(), first + 102) << device;
  }
}

TEST(Scenario, FreeCodeIsSaidFromTheKernelsFirstInstruction) {
  Scenario scenario = scenario_of("mi210");
  scenario.setup.entry_offset_bytes = 0x100;
  const auto after = changed(std::move(scenario), "code=40-e4:100-104");
  ASSERT_TRUE(after);
  ASSERT_EQ(after->spec.issue.free_code.size(), 2u);
  EXPECT_EQ(after->spec.issue.free_code[0].begin, 0x140u);
  EXPECT_EQ(after->spec.issue.free_code[0].end, 0x1e4u);
  for (const char* bad : {"code=", "code=40", "code=40-", "code=40-40", "code=x-44", "code=1-2:"}) {
    EXPECT_NE(refusal(bad), "") << bad;
  }
}

TEST(Scenario, OccupancyTakesWavesOfASimd) {
  EXPECT_EQ(scenario_of("mi210").setup.occupancy.workgroups_per_cu, 4u) << "100 VGPRs";
  EXPECT_EQ(with("mi210", "occupancy=full").setup.occupancy.workgroups_per_cu, 8u);
  EXPECT_EQ(with("mi210", "occupancy=2").setup.occupancy.workgroups_per_cu, 2u);
}

TEST(Scenario, ANumberOfTheDeviceChangesWhatFollowsFromIt) {
  const Scenario more = with("mi210", "occupancy.vgprs_per_simd=2x");
  EXPECT_EQ(more.setup.occupancy.workgroups_per_cu, 8u);
  EXPECT_EQ(with("mi210", "compute.units=52").spec.compute_units, 52u);
}

TEST(Scenario, PartsAreTakenTogetherWhateverTheirOrder) {
  const Scenario one = with("mi210", "lds.conflicts=off+memory.peak_bandwidth=2x");
  const Scenario other = with("mi210", "memory.peak_bandwidth=2x+lds.conflicts=off");
  EXPECT_FALSE(one.spec.lds.banks_conflict);
  EXPECT_FALSE(other.spec.lds.banks_conflict);
  EXPECT_EQ(one.spec.hbm.peak_bytes_per_cycle, other.spec.hbm.peak_bytes_per_cycle);
}

TEST(Scenario, AnotherDeviceMustRunTheSameCode) {
  EXPECT_EQ(with("mi210", "device=mi250x").device.name, "mi250x");
  EXPECT_THAT(refusal("device=mi300x"), HasSubstr("does not run on it"));
}

TEST(Scenario, WhatIsNoChangeIsRefusedWithWhatCouldBeSaid) {
  EXPECT_THAT(refusal("lds.conflict=off"), HasSubstr("no change \"lds.conflict=off\""));
  EXPECT_THAT(refusal("lds.conflicts=2x"), HasSubstr("say lds.conflicts=off"));
  EXPECT_THAT(refusal("hbm.bandwidth=2"), HasSubstr("or a multiple as in 2x"));
  EXPECT_THAT(refusal("hbm.bandwidth=-2x"), HasSubstr("no change"));
  EXPECT_THAT(refusal("l2.channels=0"), HasSubstr("l2.channels"));
  EXPECT_THAT(refusal(""), HasSubstr("no change"));
  EXPECT_THAT(refusal("lds.conflicts=off+"), HasSubstr("no change"));
}

}  // namespace
}  // namespace wavetank::timing
