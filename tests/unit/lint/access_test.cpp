// Loads and stores that could be wider, need no flat form, or are repeated.
#include <gtest/gtest.h>

#include "small_kernel.hpp"

namespace wavetank::lint {
namespace {

using isa::Target;

TEST(NarrowAccess, TwoLoadsSideBySideCouldBeOne) {
  const Findings findings = findings_of({"global_load_dword v4, v[2:3], off",
                                         "global_load_dword v5, v[2:3], off offset:4", "s_endpgm"});
  ASSERT_EQ(rules_of(findings), Names{"narrow-access"});
  EXPECT_EQ(findings[0].what, "2 loads of 4 bytes side by side in memory could be one of 8");
}

TEST(NarrowAccess, LoadsApartCouldNot) {
  EXPECT_EQ(
      rules_in({"global_load_dword v4, v[2:3], off", "global_load_dword v5, v[2:3], off offset:8"}),
      Names{});
  EXPECT_EQ(
      rules_in({"global_load_dword v4, v[2:3], off", "global_load_dword v5, v[4:5], off offset:4"}),
      Names{})
      << "another base";
}

TEST(NarrowAccess, FourLoadsAreOneFindingAndFiveAreNoWiderOne) {
  const Findings findings = findings_of(
      {"global_load_dword v4, v[2:3], off", "global_load_dword v5, v[2:3], off offset:4",
       "global_load_dword v6, v[2:3], off offset:8", "global_load_dword v7, v[2:3], off offset:12",
       "global_load_dword v8, v[2:3], off offset:16", "s_endpgm"});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].what, "4 loads of 4 bytes side by side in memory could be one of 16");
}

TEST(NarrowAccess, TheSumOfAnAddressIsLookedThrough) {
  EXPECT_EQ(rules_in({"v_lshl_add_u64 v[6:7], v[2:3], 0, 4", "global_load_dword v4, v[2:3], off",
                      "global_load_dword v5, v[6:7], off"}),
            Names{"narrow-access"});
  EXPECT_EQ(rules_in({"v_add_co_u32_e32 v6, vcc, 4, v2", "v_addc_co_u32_e32 v7, vcc, 0, v3, vcc",
                      "global_load_dword v4, v[2:3], off", "global_load_dword v5, v[6:7], off"}),
            Names{"narrow-access"});
}

TEST(NarrowAccess, AStoreBetweenThemKeepsThemApartUnlessItIsElsewhere) {
  EXPECT_EQ(rules_in({"global_load_dword v4, v[2:3], off", "global_store_dword v[8:9], v6, off",
                      "global_load_dword v5, v[2:3], off offset:4"}),
            Names{});
  EXPECT_EQ(
      rules_in({"global_load_dword v4, v[2:3], off", "global_store_dword v[2:3], v6, off offset:16",
                "global_load_dword v5, v[2:3], off offset:4"}),
      Names{"narrow-access"});
  EXPECT_EQ(rules_in({"global_load_dword v4, v[2:3], off", "ds_write_b32 v0, v6",
                      "global_load_dword v5, v[2:3], off offset:4"}),
            Names{"narrow-access"});
}

TEST(NarrowAccess, ABarrierAUseOrOtherLanesKeepThemApart) {
  EXPECT_EQ(rules_in({"global_load_dword v4, v[2:3], off", "s_barrier",
                      "global_load_dword v5, v[2:3], off offset:4"}),
            Names{});
  EXPECT_EQ(rules_in({"global_load_dword v4, v[2:3], off", "s_waitcnt vmcnt(0)",
                      "v_add_u32_e32 v6, v4, v4", "global_load_dword v5, v[2:3], off offset:4"}),
            Names{})
      << "the first result's register may serve for something else";
  EXPECT_EQ(rules_in({"global_load_dword v4, v[2:3], off", "s_and_saveexec_b64 s[2:3], vcc",
                      "global_load_dword v5, v[2:3], off offset:4"}),
            Names{});
}

TEST(NarrowAccess, LoadsThatMeetOthersStayAsTheyAre) {
  EXPECT_EQ(rules_in({"global_load_dword v4, v[2:3], off sc0 sc1",
                      "global_load_dword v5, v[2:3], off offset:4 sc0 sc1"}),
            Names{});
}

TEST(NarrowAccess, StoresAndLdsCount) {
  EXPECT_EQ(rules_in({"ds_read_b32 v4, v0", "ds_read_b32 v5, v0 offset:4"}),
            Names{"narrow-access"});
  EXPECT_EQ(rules_in({"ds_write_b32 v0, v4", "ds_write_b32 v0, v5 offset:4"}),
            Names{"narrow-access"});
  EXPECT_EQ(
      rules_in({"ds_write_b32 v0, v4", "v_mov_b32_e32 v4, 0", "ds_write_b32 v0, v4 offset:4"}),
      Names{})
      << "the data is not there at the same time";
}

TEST(NarrowAccess, OfLdsTwoAtATimeAsFarAsTheirOffsetsReach) {
  EXPECT_EQ(rules_in({"ds_read_b32 v4, v0 offset:1016", "ds_read_b32 v5, v0 offset:1020"}),
            Names{"narrow-access"});
  EXPECT_EQ(rules_in({"ds_read_b32 v4, v0 offset:1020", "ds_read_b32 v5, v0 offset:1024"}),
            Names{});
  EXPECT_EQ(rules_in({"ds_read_b32 v4, v0", "ds_read_b32 v5, v0 offset:4",
                      "ds_read_b32 v6, v0 offset:8", "ds_read_b32 v7, v0 offset:12"}),
            (Names{"narrow-access", "narrow-access"}));
}

TEST(FlatAccess, AnArgumentsArrayIsGlobalMemory) {
  EXPECT_EQ(rules_in({"s_load_dwordx2 s[2:3], s[0:1], 0x8",
                      "v_lshl_add_u64 v[2:3], v[0:1], 2, s[2:3]", "flat_load_dword v4, v[2:3]"}),
            Names{"flat-access"});
  EXPECT_EQ(rules_in({"s_load_dwordx2 s[2:3], s[0:1], 0x40",
                      "v_lshl_add_u64 v[2:3], v[0:1], 2, s[2:3]", "flat_load_dword v4, v[2:3]"}),
            Names{})
      << "no pointer argument is there";
}

TEST(FlatAccess, HalvesOfASumStandInAnyOrder) {
  EXPECT_EQ(rules_in({"s_load_dwordx2 s[2:3], s[0:1], 0x8", "v_mov_b32_e32 v5, s3",
                      "v_add_co_u32_e32 v2, vcc, s2, v0", "v_addc_co_u32_e32 v3, vcc, 0, v5, vcc",
                      "flat_load_dword v4, v[2:3]"}),
            Names{"flat-access"});
}

TEST(FlatAccess, TheSharedApertureIsLds) {
  EXPECT_EQ(rules_in({"s_mov_b64 s[2:3], src_shared_base", "v_mov_b32_e32 v3, s3",
                      "flat_load_dword v4, v[2:3]"}),
            Names{"flat-access"});
  EXPECT_EQ(rules_in({"s_mov_b64 s[2:3], src_private_base", "v_mov_b32_e32 v3, s3",
                      "flat_load_dword v4, v[2:3]"}),
            Names{});
}

TEST(FlatAccess, APointerThatALoopMovesOnStaysInItsArray) {
  const Texts loop = {"s_load_dwordx4 s[4:7], s[0:1], 0x0",
                      "v_mov_b32_e32 v2, s4",
                      "v_mov_b32_e32 v3, s5",
                      "top:",
                      "flat_load_dword v4, v[2:3]",
                      "v_lshl_add_u64 v[2:3], v[2:3], 0, 4",
                      "s_cbranch_scc1 top"};
  EXPECT_EQ(rules_in(loop), Names{"flat-access"});
  Texts other = loop;
  other[5] = "v_lshl_add_u64 v[2:3], v[6:7], 0, 4";
  EXPECT_EQ(rules_in(other), Names{}) << "another pointer from the second round on";
}

TEST(FlatAccess, APointerThatIsOneOrTheOtherHasNoOrigin) {
  EXPECT_EQ(rules_in({"s_load_dwordx4 s[4:7], s[0:1], 0x0", "v_mov_b32_e32 v2, s4",
                      "v_mov_b32_e32 v3, s5", "s_cbranch_scc1 past", "v_mov_b32_e32 v2, v8",
                      "v_mov_b32_e32 v3, v9", "past:", "flat_load_dword v4, v[2:3]"}),
            Names{});
}

const Texts kReload = {
    "s_load_dwordx4 s[4:7], s[0:1], 0x0", "v_lshlrev_b32_e32 v2, 2, v0", "top:",
    "global_load_dword v4, v2, s[4:5]",   "v_add_u32_e32 v3, 4, v3",     "s_waitcnt vmcnt(0)",
    "global_store_dword v3, v4, s[6:7]",  "s_cbranch_scc1 top",          "s_endpgm"};

TEST(MayAlias, ALoadThatEachRoundRepeatsBecauseOfAStore) {
  const Findings findings = findings_of(kReload);
  ASSERT_EQ(rules_of(findings), Names{"may-alias"});
  EXPECT_EQ(findings[0].step, 2u);
}

TEST(MayAlias, AnAddressThatChangesIsAnotherLoad) {
  EXPECT_EQ(rules_of_kernel(replaced(kReload, 4, "v_add_u32_e32 v2, 4, v2")), Names{});
}

TEST(MayAlias, AStoreToTheSameArrayMayChangeIt) {
  EXPECT_EQ(rules_of_kernel(replaced(kReload, 6, "global_store_dword v3, v4, s[4:5]")), Names{});
}

TEST(MayAlias, ALoadThatNotEachRoundDoesCannotBeMovedOut) {
  EXPECT_EQ(rules_of_kernel(inserted(inserted(kReload, 3, "s_cbranch_scc0 past"), 5, "past:")),
            Names{});
}

}  // namespace
}  // namespace wavetank::lint
