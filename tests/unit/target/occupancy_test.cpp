// Occupancy of gfx90a and gfx942, both sides of each boundary.
#include "target/occupancy.hpp"

#include <gtest/gtest.h>

#include "target/builtin_devices.hpp"
#include "target/load_device.hpp"

namespace wavetank::target {
namespace {

Device mi210() { return load_device("mi210").value(); }

Occupancy of(const Resources& resources) { return occupancy(mi210(), resources).value(); }

/// The published table for CDNA2: the most VGPRs for each number of waves per SIMD.
TEST(Occupancy, WavesByVgprsFollowThePublishedTable) {
  struct Row {
    std::uint32_t most_vgprs, waves;
  };
  constexpr Row kTable[] = {{64, 8}, {72, 7}, {80, 6}, {96, 5}, {128, 4}, {168, 3}, {256, 2}};
  for (const std::string& name : builtin_device_names()) {
    const Device device = load_device(name).value();
    for (const Row& row : kTable) {
      EXPECT_EQ(waves_by_vgprs(device, row.most_vgprs), row.waves) << row.most_vgprs;
      EXPECT_EQ(waves_by_vgprs(device, row.most_vgprs + 1), row.waves - 1) << row.most_vgprs;
      EXPECT_EQ(max_vgprs_for_waves(device, row.waves), row.most_vgprs);
    }
    EXPECT_EQ(waves_by_vgprs(device, 1), 8u);
    EXPECT_EQ(waves_by_vgprs(device, 0), 8u);
    EXPECT_EQ(waves_by_vgprs(device, 512), 1u);
    EXPECT_EQ(waves_by_vgprs(device, 513), 0u);
    EXPECT_EQ(max_vgprs_for_waves(device, 1), 512u);
  }
}

TEST(Occupancy, AccVgprsStartAtTheNextMultipleOfFour) {
  EXPECT_EQ(unified_vgprs(61, 0), 61u);
  EXPECT_EQ(unified_vgprs(61, 1), 65u);
  EXPECT_EQ(unified_vgprs(60, 4), 64u);
  EXPECT_EQ(of({.arch_vgprs = 60, .acc_vgprs = 4, .workgroup_work_items = 64}).waves_per_simd, 8u);
  EXPECT_EQ(of({.arch_vgprs = 61, .acc_vgprs = 4, .workgroup_work_items = 64}).waves_per_simd, 7u);
  EXPECT_EQ(of({.arch_vgprs = 256, .acc_vgprs = 256, .workgroup_work_items = 64}).waves_per_simd,
            1u);
}

TEST(Occupancy, TheCompilersSgprRuleKeepsEightWavesUpTo100) {
  EXPECT_EQ(waves_by_sgprs(mi210(), 100, SgprRule::kCompiler), 8u);
  EXPECT_EQ(waves_by_sgprs(mi210(), 101, SgprRule::kCompiler), 7u);
  EXPECT_EQ(waves_by_sgprs(mi210(), 112, SgprRule::kCompiler), 7u);
}

TEST(Occupancy, TheAllocationRuleKeepsEightWavesUpTo96) {
  EXPECT_EQ(waves_by_sgprs(mi210(), 96, SgprRule::kAllocation), 8u);
  EXPECT_EQ(waves_by_sgprs(mi210(), 97, SgprRule::kAllocation), 7u);
  EXPECT_EQ(waves_by_sgprs(mi210(), 112, SgprRule::kAllocation), 7u);
  EXPECT_EQ(waves_by_sgprs(mi210(), 80, SgprRule::kAllocation, true), 8u);
  EXPECT_EQ(waves_by_sgprs(mi210(), 81, SgprRule::kAllocation, true), 7u);
}

TEST(Occupancy, TheTwoSgprRulesDifferFrom97To100Only) {
  for (std::uint32_t sgprs = 0; sgprs <= kMaxSgprsPerWave; ++sgprs) {
    const bool differ = waves_by_sgprs(mi210(), sgprs, SgprRule::kCompiler) !=
                        waves_by_sgprs(mi210(), sgprs, SgprRule::kAllocation);
    EXPECT_EQ(differ, sgprs >= 97 && sgprs <= 100) << sgprs;
  }
}

TEST(Occupancy, LdsAdmitsWholeWorkgroups) {
  const auto workgroups = [](std::uint32_t lds_bytes) {
    return of({.lds_bytes = lds_bytes, .workgroup_work_items = 128})
        .limit(Limiter::kLds)
        .workgroups_per_cu;
  };
  EXPECT_EQ(workgroups(8192), 8u);
  EXPECT_EQ(workgroups(8193), 7u);
  EXPECT_EQ(workgroups(49152), 1u);
  EXPECT_EQ(workgroups(32768), 2u);
  EXPECT_EQ(workgroups(32769), 1u);
  EXPECT_EQ(workgroups(65536), 1u);
  EXPECT_EQ(workgroups(21504), 3u);
  EXPECT_EQ(workgroups(21505), 2u);
}

TEST(Occupancy, TheCompilerDoesNotRoundLdsToItsGranule) {
  const Occupancy third = of({.lds_bytes = 65536 / 3, .workgroup_work_items = 256});
  EXPECT_EQ(third.workgroups_per_cu, 2u);
  EXPECT_EQ(third.compiler_waves_per_simd, 3u);
}

TEST(Occupancy, LdsIsTakenInPiecesOf512Bytes) {
  const Occupancy one = of({.lds_bytes = 1, .workgroup_work_items = 64});
  EXPECT_EQ(one.limit(Limiter::kLds).allocated, 512u);
  EXPECT_EQ(of({.lds_bytes = 512, .workgroup_work_items = 64}).limit(Limiter::kLds).allocated,
            512u);
  EXPECT_EQ(of({.lds_bytes = 513, .workgroup_work_items = 64}).limit(Limiter::kLds).allocated,
            1024u);
}

/// The batched matrix-vector kernel of AMD's CDNA2 training material, versions V0 to V3.
TEST(Occupancy, TheFourMatrixVectorKernelsHaveTheirPublishedOccupancy) {
  const Occupancy v0 =
      of({.arch_vgprs = 74, .sgprs = 22, .lds_bytes = 65536, .workgroup_work_items = 128});
  EXPECT_EQ(v0.compiler_waves_per_simd, 1u);
  EXPECT_EQ(v0.waves_per_cu, 2u);
  EXPECT_EQ(v0.limiter, Limiter::kLds);
  const Occupancy v1 =
      of({.arch_vgprs = 42, .sgprs = 22, .lds_bytes = 65536, .workgroup_work_items = 256});
  EXPECT_EQ(v1.compiler_waves_per_simd, 1u);
  EXPECT_EQ(v1.waves_per_cu, 4u);
  const Occupancy v2 = of({.arch_vgprs = 42, .lds_bytes = 2048, .workgroup_work_items = 128});
  EXPECT_EQ(v2.compiler_waves_per_simd, 8u);
  EXPECT_EQ(v2.waves_per_cu, 32u);
  const Occupancy v3 = of({.arch_vgprs = 42, .lds_bytes = 4096, .workgroup_work_items = 256});
  EXPECT_EQ(v3.compiler_waves_per_simd, 8u);
  EXPECT_EQ(v3.waves_per_cu, 32u);
}

TEST(Occupancy, AWholeWorkgroupMustFitAndTheCompilersFigureIgnoresThat) {
  const Occupancy five = of({.arch_vgprs = 96, .workgroup_work_items = 1024});
  EXPECT_EQ(five.compiler_waves_per_simd, 5u);
  EXPECT_EQ(five.workgroups_per_cu, 1u);
  EXPECT_EQ(five.waves_per_simd, 4u);
  EXPECT_EQ(of({.arch_vgprs = 64, .workgroup_work_items = 1024}).workgroups_per_cu, 2u);
  EXPECT_EQ(of({.arch_vgprs = 128, .workgroup_work_items = 1024}).workgroups_per_cu, 1u);
  EXPECT_EQ(of({.arch_vgprs = 129, .workgroup_work_items = 1024}).workgroups_per_cu, 0u);
}

TEST(Occupancy, SlotsLimitOneWaveGroupsAndBarriersTheOthers) {
  EXPECT_EQ(of({.workgroup_work_items = 64}).workgroups_per_cu, 32u);
  EXPECT_EQ(of({.workgroup_work_items = 65}).workgroups_per_cu, 16u);
  EXPECT_EQ(of({.workgroup_work_items = 128}).workgroups_per_cu, 16u);
  EXPECT_EQ(of({.workgroup_work_items = 129}).workgroups_per_cu, 10u);
  EXPECT_EQ(of({.workgroup_work_items = 129}).waves_per_cu, 30u);
  EXPECT_EQ(of({.workgroup_work_items = 1}).waves_per_workgroup, 1u);
  EXPECT_EQ(of({.workgroup_work_items = 64}).limiter, Limiter::kWaveSlots);
}

TEST(Occupancy, TheCompilerReportsTwelveWaveGroupsAsSixWaves) {
  const Occupancy twelve = of({.workgroup_work_items = 768});
  EXPECT_EQ(twelve.workgroups_per_cu, 2u);
  EXPECT_EQ(twelve.compiler_waves_per_simd, 6u);
}

TEST(Occupancy, GiveUpIsTheLeastThatAdmitsOneMoreWorkgroup) {
  const Resources lds{.arch_vgprs = 74, .lds_bytes = 65536, .workgroup_work_items = 128};
  const Occupancy now = of(lds);
  EXPECT_EQ(now.limit(Limiter::kLds).give_up, 32768u);
  EXPECT_EQ(now.limit(Limiter::kVgpr).give_up, 0u);
  Resources less = lds;
  less.lds_bytes -= 32768;
  EXPECT_EQ(of(less).workgroups_per_cu, now.workgroups_per_cu + 1);
  less.lds_bytes += 1;
  EXPECT_EQ(of(less).workgroups_per_cu, now.workgroups_per_cu);

  const Occupancy vgprs = of({.arch_vgprs = 104, .workgroup_work_items = 256});
  EXPECT_EQ(vgprs.waves_per_simd, 4u);
  EXPECT_EQ(vgprs.limit(Limiter::kVgpr).give_up, 8u);
  EXPECT_EQ(of({.arch_vgprs = 97, .workgroup_work_items = 256}).waves_per_simd, 4u);
  EXPECT_EQ(of({.arch_vgprs = 96, .workgroup_work_items = 256}).waves_per_simd, 5u);

  const Occupancy sgprs = of({.arch_vgprs = 8, .sgprs = 106, .workgroup_work_items = 64});
  EXPECT_EQ(sgprs.limiter, Limiter::kSgpr);
  EXPECT_EQ(sgprs.limit(Limiter::kSgpr).give_up, 6u);
}

/// What gives up that many admits one more, and what gives up one less does not.
TEST(Occupancy, GiveUpIsTheLeastOfEveryNumberOfRegistersAndBytes) {
  const auto expect_least = [](Limiter limiter, const Resources& resources,
                               std::uint32_t Resources::* member) {
    const Occupancy now = of(resources);
    const auto admitted = [&](std::uint32_t less) {
      Resources changed = resources;
      changed.*member -= less;
      return of(changed).limit(limiter).workgroups_per_cu > now.workgroups_per_cu;
    };
    const auto give_up = now.limit(limiter).give_up;
    EXPECT_EQ(give_up.has_value(), admitted(resources.*member - 1));
    if (!give_up) return;
    EXPECT_TRUE(admitted(*give_up));
    if (*give_up > 0) EXPECT_FALSE(admitted(*give_up - 1));
  };
  for (const std::uint32_t items : {64u, 192u, 256u, 1024u}) {
    for (std::uint32_t n = 1; n <= 102; ++n) {
      const Resources all{
          .arch_vgprs = 2 * n, .sgprs = n, .lds_bytes = 640 * n, .workgroup_work_items = items};
      SCOPED_TRACE(::testing::Message() << items << ' ' << n);
      expect_least(Limiter::kVgpr, all, &Resources::arch_vgprs);
      expect_least(Limiter::kSgpr, all, &Resources::sgprs);
      expect_least(Limiter::kLds, all, &Resources::lds_bytes);
    }
  }
}

TEST(Occupancy, NothingIsWonByGivingUpWhenTheSlotsAreFull) {
  const Occupancy full = of({.arch_vgprs = 32, .sgprs = 20, .workgroup_work_items = 256});
  EXPECT_EQ(full.waves_per_cu, 32u);
  for (const ResourceLimit& limit : full.limits) {
    EXPECT_EQ(limit.give_up.has_value(), limit.resource == Limiter::kBarriers);
  }
}

TEST(CompilerOccupancy, NamesWhatLimitsAndWhatWouldGainAWave) {
  const auto of = [](const Resources& r) { return compiler_occupancy(mi210(), r).value(); };
  const CompilerOccupancy lds =
      of({.arch_vgprs = 74, .lds_bytes = 65536, .workgroup_work_items = 256});
  EXPECT_EQ(lds.waves_per_simd, 1u);
  EXPECT_EQ(lds.limiter, Limiter::kLds);
  EXPECT_EQ(lds.give_up[2], 32768u);
  const CompilerOccupancy vgprs = of({.arch_vgprs = 104});
  EXPECT_EQ(vgprs.waves_per_simd, 4u);
  EXPECT_EQ(vgprs.limiter, Limiter::kVgpr);
  EXPECT_EQ(vgprs.give_up[0], 8u);
  const CompilerOccupancy sgprs = of({.arch_vgprs = 8, .sgprs = 101});
  EXPECT_EQ(sgprs.waves_per_simd, 7u);
  EXPECT_EQ(sgprs.limiter, Limiter::kSgpr);
  EXPECT_EQ(sgprs.give_up[1], 1u);
}

TEST(CompilerOccupancy, NoResourceLimitsAFullSimdOrAWorkgroupThatFillsSlotsUnevenly) {
  const CompilerOccupancy full = compiler_occupancy(mi210(), {.arch_vgprs = 64}).value();
  EXPECT_EQ(full.waves_per_simd, 8u);
  EXPECT_EQ(full.limiter, Limiter::kWaveSlots);
  const CompilerOccupancy twelve =
      compiler_occupancy(mi210(), {.arch_vgprs = 64, .workgroup_work_items = 768}).value();
  EXPECT_EQ(twelve.waves_per_simd, 6u);
  EXPECT_EQ(twelve.limiter, Limiter::kWaveSlots);
  EXPECT_FALSE(twelve.give_up[2].has_value());
}

TEST(Occupancy, WhatNoKernelCanAskIsAnError) {
  const auto refused = [](const Resources& r) { return !occupancy(mi210(), r).has_value(); };
  EXPECT_FALSE(refused({.arch_vgprs = 256}));
  EXPECT_TRUE(refused({.arch_vgprs = 257}));
  EXPECT_FALSE(refused({.acc_vgprs = 256}));
  EXPECT_TRUE(refused({.acc_vgprs = 257}));
  EXPECT_FALSE(refused({.sgprs = 112}));
  EXPECT_TRUE(refused({.sgprs = 113}));
  EXPECT_FALSE(refused({.lds_bytes = 65536}));
  EXPECT_TRUE(refused({.lds_bytes = 65537}));
  EXPECT_FALSE(refused({.workgroup_work_items = 1024}));
  EXPECT_TRUE(refused({.workgroup_work_items = 1025}));
  EXPECT_TRUE(refused({.workgroup_work_items = 0}));
}

}  // namespace
}  // namespace wavetank::target
