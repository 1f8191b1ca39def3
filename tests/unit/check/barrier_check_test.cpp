#include "check/barrier_check.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "isa/catalogue.hpp"

namespace wavetank::check {
namespace {

using machine::StepFacts;
using machine::Stop;
using machine::Wave;

const isa::Row* row_that(isa::Pause pause) {
  for (const isa::Row& row : isa::catalogue()) {
    if (row.pause == pause) return &row;
  }
  return nullptr;
}

/// Two waves of a workgroup, and a kernel of a barrier, a store and an end, in this order.
class TwoWaves : public ::testing::Test {
 protected:
  TwoWaves() {
    for (unsigned i = 0; i < 2; ++i) {
      waves_[i].id_in_group = i;
      waves_[i].set_exec(~std::uint64_t{0});
    }
    barrier_.row = row_that(isa::Pause::kBarrier);
    end_.row = row_that(isa::Pause::kEnd);
    store_.row = row_that(isa::Pause::kNone);
    barrier_.index = 1;
    store_.index = 2;
    end_.index = 3;
    check_.begin(0, waves_);
  }
  void does(unsigned wave, const StepFacts& facts, Stop stop = Stop::kRunning) {
    check_.on_instruction(waves_[wave], facts, findings_);
    waves_[wave].stop = stop;
  }
  static bool leads(std::uint32_t from, std::uint32_t to) { return from < to; }
  void pass() { check_.pass_barrier(waves_, leads, findings_); }

  std::vector<Wave> waves_ = std::vector<Wave>(2);
  StepFacts barrier_, store_, end_;
  BarrierCheck check_;
  Findings findings_;
};

TEST_F(TwoWaves, ThatBothComeAreRight) {
  for (unsigned wave = 0; wave < 2; ++wave) does(wave, barrier_, Stop::kBarrier);
  pass();
  for (unsigned wave = 0; wave < 2; ++wave) {
    does(wave, store_);
    does(wave, end_, Stop::kEnded);
  }
  EXPECT_TRUE(findings_.empty());
}

TEST_F(TwoWaves, OneWithLanesThatComeBackAfterTheBarrierIsAnError) {
  waves_[0].set_exec(0xff);
  does(0, barrier_, Stop::kBarrier);
  does(1, barrier_, Stop::kBarrier);
  pass();
  waves_[0].set_exec(~std::uint64_t{0});
  does(0, store_);
  const auto found = findings_.sorted();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].level, Level::kError);
  EXPECT_EQ(found[0].first.site, 1u);
  EXPECT_EQ(found[0].second.site, 2u);
  EXPECT_EQ(found[0].second.lane, 8u);
}

TEST_F(TwoWaves, LanesThatHaveLeftAreANote) {
  waves_[0].set_exec(0xff);
  does(0, barrier_, Stop::kBarrier);
  does(1, barrier_, Stop::kBarrier);
  pass();
  does(0, store_);
  does(0, end_, Stop::kEnded);
  const auto found = findings_.sorted();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].level, Level::kNote);
}

TEST_F(TwoWaves, AWaveThatWentAroundTheBarrierIsAnErrorAndOneThatLeftBeforeItANote) {
  does(1, store_);
  does(1, end_, Stop::kEnded);
  does(0, barrier_, Stop::kBarrier);
  pass();
  ASSERT_EQ(findings_.sorted().size(), 1u);
  EXPECT_EQ(findings_.sorted()[0].level, Level::kError);

  Findings early;
  check_.begin(0, waves_);
  check_.on_instruction(waves_[1], end_, early);
  check_.pass_barrier(waves_, leads, early);
  ASSERT_EQ(early.sorted().size(), 1u);
  EXPECT_EQ(early.sorted()[0].level, Level::kNote);
}

TEST_F(TwoWaves, InALoopWhatAlsoLeadsToTheBarrierIsNotBehindIt) {
  does(1, store_);
  does(1, end_, Stop::kEnded);
  does(0, barrier_, Stop::kBarrier);
  const auto everywhere = [](std::uint32_t, std::uint32_t) { return true; };
  check_.pass_barrier(waves_, everywhere, findings_);
  ASSERT_EQ(findings_.sorted().size(), 1u);
  EXPECT_EQ(findings_.sorted()[0].level, Level::kNote);
}

TEST_F(TwoWaves, ThatMeetAtDifferentBarriersAreANote) {
  StepFacts other = barrier_;
  other.index = 4;
  does(0, barrier_, Stop::kBarrier);
  does(1, other, Stop::kBarrier);
  pass();
  const auto found = findings_.sorted();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Kind::kTwoBarriers);
  EXPECT_EQ(found[0].level, Level::kNote);
  EXPECT_EQ(found[0].first.site, 1u);
  EXPECT_EQ(found[0].second.site, 4u);
}

}  // namespace
}  // namespace wavetank::check
