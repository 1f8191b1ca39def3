// Which code is led by what it finds in memory.
#include "check/data_dependence.hpp"

#include <gtest/gtest.h>

#include "small_flow.hpp"

namespace wavetank::check {
namespace {

bool is_led(const Texts& texts) { return is_led_by_data(flow_of(texts)); }

constexpr std::string_view kArgument = "s_load_dword s4, s[0:1], 0x10";
constexpr std::string_view kPointer = "s_load_dwordx2 s[2:3], s[0:1], 0x0";
constexpr std::string_view kLoad = "global_load_dword v1, v0, s[2:3]";
constexpr std::string_view kStore = "global_store_dword v0, v1, s[2:3]";

TEST(DataDependence, WhatIsOnlyComputedWithAndStoredLeadsNowhere) {
  EXPECT_FALSE(is_led({kPointer, kLoad, "v_add_u32 v1, v1, v1", kStore}));
}

TEST(DataDependence, ArgumentsAreNoData) {
  EXPECT_FALSE(
      is_led({kArgument, kPointer, "s_cmp_lg_u32 s4, 0", "s_cbranch_scc1 0",
              "v_cmp_gt_u32 vcc, s4, v0", "s_and_saveexec_b64 s[6:7], vcc", kLoad, kStore}));
}

TEST(DataDependence, ABranchOrAMaskOfDataLeads) {
  EXPECT_TRUE(is_led({kLoad, "v_cmp_gt_u32 vcc, 7, v1", "s_and_saveexec_b64 s[6:7], vcc"}));
  EXPECT_TRUE(is_led({kLoad, "v_cmp_gt_u32 vcc, 7, v1", "s_cbranch_vccz 0"}));
  EXPECT_TRUE(
      is_led({kLoad, "v_readfirstlane_b32 s4, v1", "s_cmp_lg_u32 s4, 0", "s_cbranch_scc1 0"}));
}

TEST(DataDependence, AScalarLoadThroughALoadedPointerIsOfData) {
  EXPECT_TRUE(
      is_led({kPointer, "s_load_dword s4, s[2:3], 0x0", "s_cmp_lg_u32 s4, 0", "s_cbranch_scc1 0"}));
}

TEST(DataDependence, AnAddressOfDataLeads) {
  EXPECT_TRUE(is_led({kLoad, "global_load_dword v2, v1, s[2:3]"}));
  EXPECT_TRUE(is_led({kLoad, "ds_read_b32 v2, v1"}));
}

TEST(DataDependence, ARegisterThatIsWrittenAnewHoldsNoData) {
  EXPECT_FALSE(is_led({kLoad, "v_mov_b32 v1, 0", "global_load_dword v2, v1, s[2:3]"}));
}

TEST(DataDependence, LanesThatAreOutKeepTheirData) {
  EXPECT_TRUE(is_led(
      {kLoad, "s_mov_b64 exec, s[6:7]", "v_mov_b32 v1, 0", "global_load_dword v2, v1, s[2:3]"}));
}

TEST(DataDependence, DataComesBackFromLds) {
  constexpr std::string_view kBack = "ds_read_b32 v2, v0", kUse = "ds_read_b32 v3, v2";
  EXPECT_FALSE(is_led({kLoad, "ds_write_b32 v0, v0", kBack, kUse}));
  EXPECT_TRUE(is_led({kLoad, "ds_write_b32 v0, v1", kBack, kUse}));
  EXPECT_TRUE(is_led({kBack, kUse, kLoad, "ds_write_b32 v0, v1"}));  // by another wave
}

TEST(DataDependence, ALoopUsesWhatItsLastRoundLoaded) {
  machine::Flow flow = flow_of({"ds_read_b32 v3, v1", kLoad, "s_nop 0"});
  EXPECT_FALSE(is_led_by_data(flow));
  flow[2].target = 0;
  EXPECT_TRUE(is_led_by_data(flow));
}

TEST(DataDependence, NothingIsKnownOfWhatACallDoes) {
  machine::Flow flow = flow_of({kPointer});
  flow[0].leaves = true;
  EXPECT_TRUE(is_led_by_data(flow));
}

}  // namespace
}  // namespace wavetank::check
