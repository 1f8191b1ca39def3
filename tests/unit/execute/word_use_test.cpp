// How programs wait for words, as listeners of a launch are told.
#include "execute/word_use.hpp"

#include <gtest/gtest.h>

#include "translated_code.hpp"

namespace wavetank::execute {
namespace {

// Encodings by llvm-mc-19 for gfx90a.
const Code kBarrier{0xbf8a0000}, kEnd{0xbf810000}, kWaitForLds{0xbf8cc07f},
    kWaitForMemory{0xbf8c0f70};
/// ds_read_b32 v1, v0; ds_write_b32 v0, v1; ds_cmpst_rtn_b32 v3, v0, v1, v2
const Code kLdsRead{0xd86c0000, 0x01000000}, kLdsWrite{0xd81a0000, 0x00000100},
    kLdsSwap{0xd8600000, 0x03020100};
/// global_load_dword v3, v2, s[0:1], the same past the caches, global_store_dword v2, v3, s[0:1]
const Code kLoad{0xdc508000, 0x03000002}, kLoadPastCache{0xdc518000, 0x03000002},
    kStore{0xdc708000, 0x00000302};
/// v_add_u32 v0, 4, v0; v_mov_b32 v0, 0
const Code kNextAddress{0x68000084}, kSameAddress{0x7e000280};

/// True if the instruction is taken for a load that polls.
bool polls(const std::vector<Code>& code, std::size_t index) {
  return Translated(code, true).facts(index).polls;
}
WordUse use_of(const std::vector<Code>& code) { return Translated(code).program().word_use(); }

TEST(WordUse, ALoadOfTheSameAddressInEachRoundPolls) {
  EXPECT_TRUE(polls({kLdsRead, kWaitForLds, branch(-4), kEnd}, 0));
  EXPECT_TRUE(polls({kLoad, kWaitForMemory, branch(-4), kEnd}, 0));
}

TEST(WordUse, ALoadThatGoesOnFromRoundToRoundDoesNot) {
  EXPECT_FALSE(polls({kLdsRead, kWaitForLds, kNextAddress, branch(-5), kEnd}, 0));
  EXPECT_TRUE(polls({kSameAddress, kLdsRead, kWaitForLds, branch(-5), kEnd}, 1));
}

TEST(WordUse, ALoadOutsideOfALoopDoesNot) {
  EXPECT_FALSE(polls({kLdsRead, kWaitForLds, branch(1), kEnd, kEnd}, 0));
}

TEST(WordUse, ALoopThatStoresOrMeetsOthersIsNotOnlyWaiting) {
  EXPECT_FALSE(polls({kLdsRead, kWaitForLds, kStore, branch(-6), kEnd}, 0));
  EXPECT_FALSE(polls({kLdsRead, kWaitForLds, kBarrier, branch(-5), kEnd}, 0));
}

TEST(WordUse, ALoadBehindABranchOfTheLoopMayBeAPlainOne) {
  EXPECT_FALSE(polls({branch(3), kLdsRead, kWaitForLds, branch(-5), kEnd}, 1));
}

TEST(WordUse, ALoadOfLdsBehindTheEndOfARoundPolls) {
  EXPECT_TRUE(polls({kWaitForLds, branch(-2), kLdsRead, branch(-5), kEnd}, 2));
  EXPECT_TRUE(polls({branch(4), kLdsRead, kWaitForLds, branch(-5), kEnd}, 1)) << "the loop's end";
  EXPECT_FALSE(polls({kWaitForMemory, branch(-2), kLoad, branch(-5), kEnd}, 2))
      << "memory may not be there";
}

TEST(WordUse, BarriersAloneOrderLdsWhereNothingPollsOrSwaps) {
  const WordUse use = use_of({kLdsWrite, kWaitForLds, kBarrier, kLdsRead, kWaitForLds, kEnd});
  EXPECT_FALSE(use.learns_in_group);
  EXPECT_FALSE(use.orders_lds);
}

TEST(WordUse, AnAtomicWithAResultInLdsMayHandOnWhatItsWaveDid) {
  const WordUse use = use_of({kLdsSwap, kWaitForLds, kEnd});
  EXPECT_TRUE(use.learns_in_group);
  EXPECT_TRUE(use.orders_lds);
}

TEST(WordUse, AccessesUnderWayAtABarrierAreNotOrderedByIt) {
  EXPECT_TRUE(use_of({kLdsWrite, kBarrier, kLdsRead, kWaitForLds, kEnd}).orders_lds);
  EXPECT_TRUE(use_of({kLdsWrite, kWaitForMemory, kBarrier, kEnd}).orders_lds);
}

TEST(WordUse, ALoadPastTheCachesLearnsInMemoryWithoutLds) {
  const WordUse use = use_of({kLoadPastCache, kWaitForMemory, kEnd});
  EXPECT_TRUE(use.learns_in_group);
  EXPECT_FALSE(use.orders_lds);
}

}  // namespace
}  // namespace wavetank::execute
