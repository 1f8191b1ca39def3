// Loads that only guess for a compare-and-swap, as listeners of a launch are told.
#include "execute/swap_seeds.hpp"

#include <gtest/gtest.h>

#include "translated_code.hpp"

namespace wavetank::execute {
namespace {

// Encodings by llvm-mc-19 for gfx90a.
const Code kEnd{0xbf810000}, kWait{0xbf8c0f70};
/// global_load_dword v3, v2, s[0:1]
const Code kLoad{0xdc508000, 0x03000002};
/// v_mov_b32 v5, v3; v_mov_b32 v5, v6; v_add_u32 v4, 1, v3
const Code kCompareIt{0x7e0a0303}, kCompareOther{0x7e0a0306}, kComputeNew{0x68080681};
/// global_atomic_cmpswap v3, v2, v[4:5], s[0:1] glc
const Code kSwap{0xdd058000, 0x03000402};
/// v_cmp_eq_u32 vcc, v3, v5
const Code kWasGood{0x7d940b03};
/// global_store_dword v2, v3, s[2:3]
const Code kStore{0xdc708000, 0x00020302};

/// s_cbranch_vccz to `dwords` from the following instruction.
Code branch_if_none(int dwords) {
  return {0xbf860000u | (static_cast<std::uint32_t>(dwords) & 0xffff)};
}

bool seeds(const std::vector<Code>& code) { return Translated(code, true).facts(0).seeds_swap; }

TEST(SwapSeeds, AGuessThatIsComparedAndComputedWithSeedsTheSwap) {
  EXPECT_TRUE(seeds(
      {kLoad, kWait, kCompareIt, kComputeNew, kSwap, kWait, kWasGood, branch_if_none(-7), kEnd}));
}

TEST(SwapSeeds, WhatTheSwapGaveMayBeUsedForAnything) {
  EXPECT_TRUE(seeds({kLoad, kWait, kCompareIt, kComputeNew, kSwap, kWait, kWasGood,
                     branch_if_none(-7), kStore, kEnd}));
}

TEST(SwapSeeds, AGuessThatIsAlsoStoredIsAPlainLoad) {
  EXPECT_FALSE(seeds({kLoad, kWait, kStore, kCompareIt, kComputeNew, kSwap, kWait, kWasGood,
                      branch_if_none(-7), kEnd}));
}

TEST(SwapSeeds, AGuessThatABranchLooksAtIsAPlainLoad) {
  EXPECT_FALSE(seeds({kLoad, kWait, kWasGood, branch_if_none(7), kCompareIt, kComputeNew, kSwap,
                      kWait, kWasGood, branch_if_none(-7), kEnd}));
}

TEST(SwapSeeds, AValueThatIsSwappedInButNotComparedIsAPlainLoad) {
  EXPECT_FALSE(seeds({kLoad, kWait, kCompareOther, kComputeNew, kSwap, kWait, kWasGood,
                      branch_if_none(-7), kEnd}));
}

TEST(SwapSeeds, ALoadThatMeetsNoSwapSeedsNone) {
  EXPECT_FALSE(seeds({kLoad, kWait, kEnd, kSwap, kEnd}));
}

}  // namespace
}  // namespace wavetank::execute
