#include "check/group_order.hpp"

#include <gtest/gtest.h>

namespace wavetank::check {
namespace {

/// Three waves of a workgroup that store and load words.
class OneGroup : public ::testing::Test {
 protected:
  OneGroup() {
    clock_.begin(1, 3);
    order_.begin(clock_);
  }
  /// A wave stores something.
  Record store(unsigned wave) {
    const Record record = Record::of(1, wave, clock_.time(wave), 7, 0);
    clock_.advance(wave);
    return record;
  }
  /// A wave's atomic changes a word that `earlier` changed before, without looking at it.
  Record change(unsigned wave, const Record& earlier) {
    const Record record = store(wave);
    order_.change_word(kWord, earlier, record);
    return record;
  }
  /// A wave loads the word that another one stored or changed last.
  void load(unsigned wave, const Record& word) {
    Handed learnt;
    order_.add_store(word, Record::of(1, wave, clock_.time(wave), 8, 0), learnt);
    order_.add_word(kWord, learnt);
    order_.acquire(wave, learnt, clock_);
  }
  void barrier() {
    clock_.pass_barrier();
    order_.pass_barrier(clock_);
  }

  static constexpr std::uint64_t kWord = 64;
  GroupClock clock_;
  GroupOrder order_;
};

TEST_F(OneGroup, WhoLoadsAWordKnowsWhatItsWaveDidBefore) {
  const Record data = store(0), word = store(0), late = store(0);
  EXPECT_FALSE(order_.knows(data, 1));
  load(1, word);
  EXPECT_TRUE(order_.knows(data, 1));
  EXPECT_TRUE(clock_.is_past(data, 1)) << "of memory, too";
  EXPECT_FALSE(order_.knows(late, 1));
  EXPECT_FALSE(order_.knows(data, 2)) << "the third wave loaded nothing";
}

TEST_F(OneGroup, WhatAWaveLearntItHandsOn) {
  const Record data = store(0), word = store(0);
  const Record early = store(1);
  load(1, word);
  const Record next = store(1);
  load(2, early);
  EXPECT_FALSE(order_.knows(data, 2));
  load(2, next);
  EXPECT_TRUE(order_.knows(data, 2));
}

TEST_F(OneGroup, ACounterHandsOnWhatAllDidThatChangedIt) {
  const Record first = store(0), second = store(1);
  const Record one = change(0, {});
  const Record two = change(1, one);
  load(2, two);
  EXPECT_TRUE(order_.knows(first, 2));
  EXPECT_TRUE(order_.knows(second, 2));
  EXPECT_FALSE(order_.knows(first, 1)) << "it added without looking";
}

TEST_F(OneGroup, ABarrierTellsAllOfAll) {
  const Record data = store(0);
  barrier();
  EXPECT_TRUE(order_.knows(data, 1));
  EXPECT_TRUE(order_.knows(data, 2));
}

TEST_F(OneGroup, ABarrierDoesNotOrderAnAccessToLdsThatIsUnderWay) {
  order_.issue(0, true, clock_);
  const Record data = store(0);
  barrier();
  EXPECT_FALSE(order_.knows(data, 1));
  EXPECT_TRUE(clock_.is_past(data, 1)) << "memory needs no wait";
  order_.wait(0, 0);
  barrier();
  EXPECT_TRUE(order_.knows(data, 1));
}

TEST_F(OneGroup, AWaitForAllButTheLastLeavesTheLastUnderWay) {
  order_.issue(0, true, clock_);
  const Record done = store(0);
  order_.issue(0, true, clock_);
  const Record pending = store(0);
  order_.wait(0, 1);
  barrier();
  EXPECT_TRUE(order_.knows(done, 1));
  EXPECT_FALSE(order_.knows(pending, 1));
}

TEST_F(OneGroup, SoItIsOfLoadsThatFollowEachOther) {
  const auto load_lds = [&] {
    order_.issue(0, true, clock_);
    return Record::of(1, 0, clock_.time(0), 7, 0);
  };
  const Record first = load_lds(), second = load_lds(), third = load_lds();
  order_.wait(0, 1);
  const Record fourth = load_lds();
  barrier();
  EXPECT_TRUE(order_.knows(first, 1));
  EXPECT_TRUE(order_.knows(second, 1));
  EXPECT_FALSE(order_.knows(third, 1));
  EXPECT_FALSE(order_.knows(fourth, 1));
}

}  // namespace
}  // namespace wavetank::check
