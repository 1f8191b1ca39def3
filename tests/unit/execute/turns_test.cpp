// Where waves give their turn, and which loops poll: facts that translation finds in the code.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "execute/program.hpp"

namespace wavetank::execute {
namespace {

using Code = std::vector<std::uint32_t>;

// Encodings by llvm-mc-19 for gfx90a.
const Code kBarrier{0xbf8a0000}, kWait{0xbf8cc07f}, kEnd{0xbf810000}, kNop{0xbf800000},
    kSleep{0xbf8e0001};
const Code kLdsRead{0xd86c0000, 0x00000001}, kLdsWrite{0xd81a0000, 0x00000001};
const Code kLoad{0xdc508000, 0x007f0002}, kLoadPastCache{0xdc518000, 0x007f0002},
    kStore{0xdc708000, 0x007f0002};
const Code kAtomic{0xdd088000, 0x007f0102}, kReturningAtomic{0xdd098000, 0x007f0102};
const Code kReadTime{0xc0900000, 0x00000000};
const Code kCall{0xbe841e00}, kJump{0xbe801d00};

/// s_cbranch_scc0 to `dwords` from the following instruction.
Code branch(int dwords) { return {0xbf840000u | (static_cast<std::uint32_t>(dwords) & 0xffff)}; }

class Translated {
 public:
  explicit Translated(const std::vector<Code>& instructions) {
    for (const Code& code : instructions) {
      slots_.push_back(dwords_.size());
      dwords_.insert(dwords_.end(), code.begin(), code.end());
    }
    ProgramSpec spec;
    spec.code = reinterpret_cast<const std::byte*>(dwords_.data());
    spec.code_bytes = 4 * dwords_.size();
    spec.entry = reinterpret_cast<std::uint64_t>(dwords_.data());
    spec.vgpr_count = spec.accum_offset = 8;
    auto program = Program::translate(spec);
    if (program) program_ = *program;
  }

  const Program& program() const { return *program_; }
  const Op& op(std::size_t index) const { return program_->entry()[slots_[index]]; }
  /// Numbers of the instructions that give the turn, in order.
  std::string turns() const {
    std::string list;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (op(i).gives_turn) list += std::to_string(i) + " ";
    }
    return list;
  }

 private:
  std::vector<std::uint32_t> dwords_;
  std::vector<std::size_t> slots_;
  std::shared_ptr<Program> program_;
};

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
