// Loads and branches that are the same for all lanes.
#include <gtest/gtest.h>

#include "small_kernel.hpp"

namespace wavetank::lint {
namespace {

Names branch_on(std::string_view value) {
  return rules_of(
      findings_of({value, "v_cmp_lt_i32_e64 s[2:3], -1, v1", "s_and_saveexec_b64 s[4:5], s[2:3]",
                   "s_cbranch_execz end", "v_mov_b32_e32 v2, 0", "end:", "s_endpgm"}));
}

TEST(UniformBranch, AComparisonOfWhatAllLanesShareNeedsNoExec) {
  EXPECT_EQ(branch_on("v_mov_b32_e32 v1, s8"), Names{"uniform-branch"});
  EXPECT_EQ(branch_on("v_add_u32_e32 v1, s8, v0"), Names{}) << "the work-item's number";
}

TEST(UniformBranch, LanesThatKeepWhatTheyHadAreNotForgottenWhereWaysMeet) {
  // if (work-item != s8) { if (work-item == 1) v1 = s9; } else v1 = 1; then a branch on v1.
  const Texts texts = {"v_mov_b32_e32 v1, v0",
                       "v_cmp_ne_u32_e32 vcc, s8, v1",
                       "s_and_saveexec_b64 s[2:3], vcc",
                       "s_xor_b64 s[2:3], exec, s[2:3]",
                       "s_cbranch_execz other",
                       "v_cmp_eq_u32_e32 vcc, 1, v1",
                       "s_and_saveexec_b64 s[4:5], vcc",
                       "s_cbranch_execz inner",
                       "v_mov_b32_e32 v1, s9",
                       "inner:",
                       "s_or_b64 exec, exec, s[4:5]",
                       "other:",
                       "s_andn2_saveexec_b64 s[2:3], s[2:3]",
                       "v_mov_b32_e32 v1, 1",
                       "s_or_b64 exec, exec, s[2:3]",
                       "v_cmp_ne_u32_e32 vcc, s10, v0",
                       "s_and_saveexec_b64 s[2:3], vcc",
                       "s_cbranch_execz end",
                       "v_cmp_eq_u32_e32 vcc, 2, v1",
                       "s_and_saveexec_b64 s[4:5], vcc",
                       "s_cbranch_execz end",
                       "v_mov_b32_e32 v2, 0",
                       "end:",
                       "s_endpgm"};
  EXPECT_EQ(rules_of(findings_of(texts)), Names{});
}

TEST(UniformBranch, WhatIsKnownDoesNotDependOnTheOrderOfBlocks) {
  EXPECT_EQ(rules_of(findings_of({"s_branch late", "early:", "s_endpgm", "late:",
                                  "v_add_u32_e32 v1, s8, v0", "v_cmp_lt_i32_e64 s[2:3], -1, v1",
                                  "s_and_saveexec_b64 s[4:5], s[2:3]", "s_branch early"})),
            Names{});
}

const Texts kLoad = {"v_mov_b32_e32 v1, 0", "global_load_dword v2, v1, s[2:3]",
                     "s_waitcnt vmcnt(0)", "global_store_dword v0, v2, s[4:5]", "s_endpgm"};

TEST(UniformLoad, ALoadOfOneAddressBeforeAnyStoreCouldBeAScalarOne) {
  const Findings findings = findings_of(kLoad);
  ASSERT_EQ(rules_of(findings), Names{"uniform-load"});
  EXPECT_EQ(findings[0].step, 1u);
}

TEST(UniformLoad, AddressesThatDifferDoNot) {
  EXPECT_EQ(rules_of_kernel(replaced(kLoad, 0, "v_lshlrev_b32_e32 v1, 2, v0")), Names{});
}

TEST(UniformLoad, BehindAStoreTheMemoryMayBeAnotherOne) {
  EXPECT_EQ(rules_of_kernel(inserted(kLoad, 0, "global_store_dword v0, v2, s[4:5]")), Names{});
}

TEST(UniformLoad, InALoopWithAStoreItIsBehindOne) {
  Texts texts = kLoad;
  texts.insert(texts.begin(), "top:");
  texts.insert(texts.end() - 1, "s_cbranch_scc1 top");
  EXPECT_EQ(rules_of(findings_of(texts)), Names{});
}

TEST(UniformLoad, ABytesLoadHasNoScalarForm) {
  EXPECT_EQ(rules_of_kernel(replaced(kLoad, 1, "global_load_ubyte v2, v1, s[2:3]")), Names{});
}

}  // namespace
}  // namespace wavetank::lint
