// Sequences of instructions that stand for something: divisions, atomics, conversions, copies,
// waits.
#include <gtest/gtest.h>

#include "small_kernel.hpp"

namespace wavetank::lint {
namespace {

using isa::Target;

/// Rules that find something in these instructions in a loop.
Names in_loop(Texts texts) {
  texts.insert(texts.begin(), "top:");
  texts.insert(texts.end(), {"s_cbranch_scc1 top", "s_endpgm"});
  return rules_of(findings_of(texts));
}

TEST(FloatDivision, CountsWholeDivisionsInLoops) {
  const Texts division = {"v_div_fixup_f32 v1, v2, v3, v4"};
  EXPECT_EQ(in_loop(division), Names{"float-division"});
  EXPECT_EQ(rules_in(division), Names{});
  EXPECT_EQ(in_loop({"v_rcp_f32_e32 v1, v3", "v_mul_f32_e32 v1, v2, v1"}), Names{})
      << "a rough one is short";
}

TEST(IntegerDivision, BeginsWithAReciprocalAndAFactor) {
  EXPECT_EQ(in_loop({"v_rcp_iflag_f32_e32 v1, v2", "v_mul_f32_e32 v1, 0x4f7ffffe, v1"}),
            Names{"integer-division"});
  EXPECT_EQ(in_loop({"v_rcp_iflag_f32_e32 v1, v2", "v_mul_f32_e32 v1, 0x4f7ffffd, v1"}), Names{});
  EXPECT_EQ(in_loop({"v_rcp_f32_e32 v1, v2", "v_mul_f32_e32 v1, 0x5f7ffffc, v1"}),
            Names{"integer-division"});
  EXPECT_EQ(rules_in({"v_rcp_f32_e32 v1, v2", "v_mul_f32_e32 v1, 0x5f7ffffc, v1"}), Names{});
}

TEST(SquareRoot, LooksAtTheFloatBelow) {
  EXPECT_EQ(in_loop({"v_sqrt_f32_e32 v1, v2", "v_add_u32_e32 v3, -1, v1"}), Names{"square-root"});
  EXPECT_EQ(in_loop({"v_sqrt_f32_e32 v1, v2", "v_mul_f32_e32 v3, v1, v1"}), Names{});
}

Texts swap_of(std::string_view operation) {
  return {"global_load_dword v3, v[0:1], off",
          "top:",
          "s_waitcnt vmcnt(0)",
          operation,
          "global_atomic_cmpswap v4, v[0:1], v[2:3], off sc0",
          "s_waitcnt vmcnt(0)",
          "v_cmp_eq_u32_e32 vcc, v4, v3",
          "s_or_b64 s[2:3], vcc, s[2:3]",
          "v_mov_b32_e32 v3, v4",
          "s_andn2_b64 exec, exec, s[2:3]",
          "s_cbranch_execnz top",
          "s_endpgm"};
}

TEST(SwapLoop, AnOperationThatAnAtomicDoes) {
  const Findings findings = findings_of(swap_of("v_add_f32_e32 v2, v3, v5"));
  ASSERT_EQ(rules_of(findings), Names{"swap-loop"});
  EXPECT_EQ(findings[0].what,
            "a loop around a compare-and-swap does what global_atomic_add_f32 does");
  EXPECT_EQ(rules_of(findings_of(swap_of("v_or_b32_e32 v2, v3, v5"))), Names{"swap-loop"});
}

TEST(SwapLoop, AnOperationThatNoAtomicDoes) {
  EXPECT_EQ(rules_of(findings_of(swap_of("v_mul_f32_e32 v2, v3, v5"))), Names{});
  EXPECT_EQ(rules_of(findings_of(swap_of("v_max_f32_e32 v2, v3, v5"))), Names{})
      << "memory has no maximum of f32";
  EXPECT_EQ(rules_of(findings_of(swap_of("v_add_f32_e32 v2, v5, v6"))), Names{})
      << "the old value has no part in it";
}

TEST(DoubleLiteral, ArithmeticBetweenFloatsByAConstant) {
  EXPECT_EQ(rules_in({"v_cvt_f64_f32_e32 v[2:3], v1", "v_mul_f64 v[2:3], v[2:3], 0.5",
                      "v_cvt_f32_f64_e32 v1, v[2:3]"}),
            Names{"double-literal"});
  EXPECT_EQ(rules_in({"v_cvt_f64_f32_e32 v[2:3], v1", "v_cvt_f64_f32_e32 v[4:5], v6",
                      "v_mul_f64 v[2:3], v[2:3], v[4:5]", "v_cvt_f32_f64_e32 v1, v[2:3]"}),
            Names{})
      << "no constant is to blame";
  EXPECT_EQ(rules_in({"v_mul_f64 v[2:3], v[2:3], 0.5", "v_cvt_f32_f64_e32 v1, v[2:3]"}), Names{})
      << "the operand is a double";
  EXPECT_EQ(rules_in({"v_cvt_f64_f32_e32 v[2:3], v1", "v_mul_f64 v[2:3], v[2:3], 0.5",
                      "v_cvt_f32_f64_e32 v1, v[2:3]", "global_store_dwordx2 v[8:9], v[2:3], off"}),
            Names{})
      << "the double is wanted, too";
}

TEST(AccumulatorSpill, CopiesOfRegistersThatHoldNothingElse) {
  const Texts copies = {"v_accvgpr_write_b32 a1, v2", "v_mov_b32_e32 v2, 0",
                        "v_accvgpr_read_b32 v2, a1"};
  EXPECT_EQ(in_loop(copies), Names{"accumulator-spill"});
  EXPECT_EQ(rules_in(copies), Names{});
  Texts matrix = copies;
  matrix.push_back("v_mfma_f32_4x4x1_16b_f32 a[0:3], v2, v2, a[0:3]");
  EXPECT_EQ(in_loop(matrix), Names{}) << "a matrix lies there";
}

TEST(ScratchArray, APlaceThatIsComputedIsFound) {
  EXPECT_EQ(rules_in({"v_lshlrev_b32_e32 v1, 2, v0", "scratch_load_dword v2, v1, off"}),
            Names{"scratch-array"});
  EXPECT_EQ(rules_in({"v_mov_b32_e32 v1, 8", "scratch_load_dword v2, v1, off"}), Names{});
}

Texts waiting(unsigned others) {
  Texts texts = {"ds_read_b32 v2, v0", "s_waitcnt lgkmcnt(0)"};
  texts.insert(texts.end(), others, "v_add_u32_e32 v3, v3, v3");
  texts.push_back("v_add_u32_e32 v4, v2, v2");
  return texts;
}

TEST(EarlyWait, AWaitLongBeforeTheUse) {
  EXPECT_EQ(rules_in(waiting(16)), Names{"early-wait"});
  EXPECT_EQ(rules_in(waiting(15)), Names{});
}

TEST(EarlyWait, AStoreOrABarrierBehindItMayNeedIt) {
  Texts texts = waiting(16);
  texts.insert(texts.begin() + 2, "s_barrier");
  EXPECT_EQ(rules_in(texts), Names{});
  texts[2] = "global_store_dword v[8:9], v6, off";
  EXPECT_EQ(rules_in(texts), Names{});
}

TEST(EarlyWait, AWaitForMoreSoonBehindItTakesAsLongWithoutIt) {
  Texts texts = waiting(16);
  texts.insert(texts.begin() + 4, "s_waitcnt lgkmcnt(0)");
  EXPECT_EQ(rules_in(texts), Names{});
  texts[4] = "s_waitcnt vmcnt(0)";
  EXPECT_EQ(rules_in(texts), Names{"early-wait"}) << "for others";
}

TEST(EarlyWait, AWaitForTheOtherCounterIsNone) {
  Texts texts = waiting(16);
  texts[1] = "s_waitcnt vmcnt(0)";
  EXPECT_EQ(rules_in(texts), Names{});
}

}  // namespace
}  // namespace wavetank::lint
