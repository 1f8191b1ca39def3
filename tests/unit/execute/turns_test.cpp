// Where waves give their turn, and which loops poll: facts that translation finds in the code.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "translated_code.hpp"

namespace wavetank::execute {
namespace {

// Encodings by llvm-mc-19 for gfx90a.
const Code kBarrier{0xbf8a0000}, kWait{0xbf8cc07f}, kEnd{0xbf810000}, kNop{0xbf800000},
    kSleep{0xbf8e0001};
const Code kLdsRead{0xd86c0000, 0x00000001}, kLdsWrite{0xd81a0000, 0x00000001};
const Code kLoad{0xdc508000, 0x007f0002}, kLoadPastCache{0xdc518000, 0x007f0002},
    kStore{0xdc708000, 0x007f0002};
const Code kAtomic{0xdd088000, 0x007f0102}, kReturningAtomic{0xdd098000, 0x007f0102};
const Code kReadTime{0xc0900000, 0x00000000};
const Code kCall{0xbe841e00}, kJump{0xbe801d00};

TEST(Turns, AWaveGivesItsTurnBetweenAReadAndAWriteOfLdsAfterABarrier) {
  EXPECT_EQ(Translated({kBarrier, kLdsRead, kWait, kLdsWrite, kEnd}).turns(), "2 ");
}

TEST(Turns, MemoryCountsAsLdsDoes) {
  EXPECT_EQ(Translated({kBarrier, kLoad, kWait, kStore, kEnd}).turns(), "2 ");
  EXPECT_EQ(Translated({kBarrier, kLoad, kWait, kAtomic, kEnd}).turns(), "2 ");
  EXPECT_EQ(Translated({kBarrier, kLoad, kWait, kLdsWrite, kEnd}).turns(), "");
}

TEST(Turns, WithoutABarrierWavesOwnEachOtherNothing) {
  EXPECT_EQ(Translated({kLdsRead, kWait, kLdsWrite, kEnd}).turns(), "");
  EXPECT_EQ(Translated({kLdsRead, kWait, kLdsWrite, kBarrier, kEnd}).turns(), "");
}

TEST(Turns, NobodyNoticesTurnsBetweenBarriersWhereSharedMemoryIsOnlyReadOrOnlyWritten) {
  EXPECT_EQ(Translated({kBarrier, kLdsRead, kWait, kLdsRead, kBarrier, kLdsWrite, kEnd}).turns(),
            "");
  EXPECT_EQ(Translated({kBarrier, kLoad, kWait, kLdsWrite, kLdsWrite, kBarrier, kEnd}).turns(), "");
}

TEST(Turns, AWaitBeforeTheNextBarrierOrTheEndGivesNoTurn) {
  EXPECT_EQ(Translated({kBarrier, kLdsWrite, kLdsRead, kWait, kBarrier, kEnd}).turns(), "");
  EXPECT_EQ(Translated({kBarrier, kLdsWrite, kLdsRead, kWait, kEnd}).turns(), "");
}

TEST(Turns, AWaitWithNothingUnderWayGivesNoTurn) {
  EXPECT_EQ(Translated({kBarrier, kLdsRead, kWait, kLdsWrite, kWait, kLdsWrite, kEnd}).turns(),
            "2 ");
  EXPECT_EQ(Translated({kBarrier, kLdsRead, kWait, kLdsRead, kWait, kLdsWrite, kEnd}).turns(),
            "2 4 ");
}

TEST(Turns, WithoutAWaitTheLastLoadFromLdsBeforeAStoreGivesTheTurn) {
  EXPECT_EQ(Translated({kBarrier, kLdsRead, kLdsWrite, kEnd}).turns(), "1 ");
  EXPECT_EQ(Translated({kBarrier, kLdsRead, kLdsRead, kNop, kLdsWrite, kEnd}).turns(), "2 ");
  EXPECT_EQ(Translated({kBarrier, kLdsRead, kLdsWrite, kWait, kEnd}).turns(), "1 ");
  EXPECT_EQ(Translated({kLdsRead, kLdsWrite, kEnd}).turns(), "");
  EXPECT_EQ(Translated({kBarrier, kLdsWrite, kLdsRead, kEnd}).turns(), "");
  EXPECT_EQ(Translated({kBarrier, kLoad, kStore, kEnd}).turns(), "");
}

TEST(Turns, ALoadBeforeAStoreInTheNextRoundOfALoopGivesTheTurn) {
  EXPECT_EQ(Translated({kBarrier, kLdsWrite, kLdsRead, branch(-5), kEnd}).turns(), "2 ");
}

TEST(Turns, LoopsCarryAccessesBackToTheirTop) {
  // What follows the wait is the read of the next round; what the write follows, too.
  EXPECT_EQ(Translated({kBarrier, kLdsWrite, kLdsRead, kWait, branch(-6), kEnd}).turns(), "3 ");
}

TEST(Turns, AroundCallsAnythingMayFollow) {
  EXPECT_EQ(Translated({kBarrier, kLdsRead, kWait, kCall, kEnd}).turns(), "2 ");
  EXPECT_EQ(Translated({kBarrier, kNop, kCall, kWait, kLdsRead, kWait, kJump}).turns(), "3 5 ");
}

TEST(Polls, ALoopThatReadsPastTheCachesPolls) {
  const Translated polls({kLoadPastCache, kWait, branch(-4), kEnd});
  EXPECT_TRUE(polls.op(2).polls);
  EXPECT_TRUE(polls.program().polls());
  const Translated computes({kLoad, kWait, branch(-4), kEnd});
  EXPECT_FALSE(computes.op(2).polls);
  EXPECT_FALSE(computes.program().polls());
}

TEST(Polls, SoDoLoopsWithClocksSleepAndAtomicsThatReturn) {
  EXPECT_TRUE(Translated({kReadTime, branch(-3), kEnd}).program().polls());
  EXPECT_TRUE(Translated({kSleep, branch(-2), kEnd}).program().polls());
  EXPECT_TRUE(Translated({kReturningAtomic, branch(-3), kEnd}).program().polls());
  EXPECT_FALSE(Translated({kAtomic, branch(-3), kEnd}).program().polls());
}

TEST(Polls, AskingBeforeOrAfterALoopDoesNot) {
  const Translated program({kSleep, kNop, branch(-2), kSleep, kEnd});
  EXPECT_FALSE(program.op(2).polls);
  EXPECT_FALSE(program.program().polls());
}

}  // namespace
}  // namespace wavetank::execute
