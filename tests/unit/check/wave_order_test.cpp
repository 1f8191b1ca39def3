#include "check/wave_order.hpp"

#include <gtest/gtest.h>

namespace wavetank::check {
namespace {

constexpr std::uint32_t kWriter = 5, kReader = 9;

/// A wave of one workgroup that stores data and then a word, and one of another that loads the
/// word.
class TwoWorkgroups : public ::testing::TestWithParam<bool> {
 protected:
  TwoWorkgroups() : writer_(GetParam()), reader_(GetParam()) {
    writer_clock_.begin(kWriter, 1);
    reader_clock_.begin(kReader, 1);
    writer_.begin(writer_clock_, 0);
    reader_.begin(reader_clock_, 0);
  }
  /// Stores the data, and gives the record.
  Record store_data() {
    writer_.issue(true, true);
    const std::uint32_t time = writer_clock_.time(0);
    writer_clock_.advance(0);  // each store has its own time
    return Record::of(kWriter, 0, time, 1, 0);
  }
  /// Stores the word, and gives what it hands on.
  std::shared_ptr<Release> store_word() {
    writer_.issue(true, true);
    auto release = std::make_shared<Release>();
    writer_.add_release(writer_clock_.time(0), *release);
    return release;
  }
  /// Loads a word that hands this on.
  void load_word(std::shared_ptr<const Release> release) {
    reader_.issue(false, false);
    reader_.acquire(std::move(release));
  }
  void fence() {
    writer_.write_back_l2(writer_clock_, 7);
    writer_.wait(0, writer_clock_);
  }

  GroupClock writer_clock_, reader_clock_;
  WaveOrder writer_, reader_;
};
INSTANTIATE_TEST_SUITE_P(OnBothTargets, TwoWorkgroups, ::testing::Values(true, false));

TEST_P(TwoWorkgroups, AFenceOnBothSidesOrdersTheData) {
  const Record data = store_data();
  fence();
  load_word(store_word());
  reader_.wait(0, reader_clock_);
  EXPECT_TRUE(reader_.arrived().covers(data));
  EXPECT_FALSE(reader_.known().covers(data)) << "the L1 may still hold an older line";
  reader_.invalidate_l1();
  EXPECT_TRUE(reader_.known().covers(data));
}

TEST_P(TwoWorkgroups, WithoutAWaitBeforeTheWordNothingIsHandedOn) {
  const Record data = store_data();
  load_word(store_word());
  reader_.wait(0, reader_clock_);
  reader_.invalidate_l1();
  EXPECT_FALSE(reader_.known().covers(data));
}

TEST_P(TwoWorkgroups, WhatIsStoredAfterTheFenceIsNotHandedOn) {
  fence();
  const Record late = store_data();
  load_word(store_word());
  reader_.wait(0, reader_clock_);
  reader_.invalidate_l1();
  EXPECT_FALSE(reader_.known().covers(late));
}

TEST_P(TwoWorkgroups, TheLoadOfTheWordMustHaveArrived) {
  const Record data = store_data();
  fence();
  load_word(store_word());
  reader_.issue(false, true);
  reader_.wait(2, reader_clock_);
  reader_.invalidate_l1();
  EXPECT_FALSE(reader_.known().covers(data));
  reader_.wait(1, reader_clock_);
  reader_.invalidate_l1();
  EXPECT_TRUE(reader_.known().covers(data));
}

TEST_P(TwoWorkgroups, WhereL2sAreSeveralTheFenceHasToWriteThemBack) {
  const Record data = store_data();
  writer_.wait(0, writer_clock_);
  load_word(store_word());
  reader_.wait(0, reader_clock_);
  reader_.invalidate_l1();
  const bool l2_is_shared = GetParam();
  EXPECT_EQ(reader_.known().covers(data), l2_is_shared);
}

TEST_P(TwoWorkgroups, AWriteBackWhileNoStoreIsUnderWayNeedsNoWait) {
  // LLVM leaves it out there.
  const Record data = store_data();
  writer_.wait(0, writer_clock_);
  writer_.write_back_l2(writer_clock_, 7);
  EXPECT_EQ(writer_.unwaited_write_back(), GetParam() ? 0u : 7u);
  load_word(store_word());
  reader_.wait(0, reader_clock_);
  reader_.invalidate_l1();
  EXPECT_TRUE(reader_.known().covers(data));
  writer_.wait(0, writer_clock_);
  EXPECT_EQ(writer_.unwaited_write_back(), 0u);
}

TEST_P(TwoWorkgroups, OrderIsHandedOnByAThird) {
  const Record data = store_data();
  fence();
  load_word(store_word());
  reader_.wait(0, reader_clock_);
  reader_.invalidate_l1();
  reader_.write_back_l2(reader_clock_, 7);
  reader_.wait(0, reader_clock_);
  Release second;
  reader_.add_release(reader_clock_.time(0), second);
  EXPECT_TRUE(second.device.covers(data));
}

TEST_P(TwoWorkgroups, WhatAnotherWaveHadCompleteAtABarrierIsHandedOn) {
  // data = ...; __threadfence(); __syncthreads(); if (threadIdx.x == 0) flag = 1;
  writer_clock_.begin(kWriter, 2);
  WaveOrder leader(GetParam());
  leader.begin(writer_clock_, 1);
  const Record data = store_data();
  fence();
  const Record late = store_data();
  Release complete;
  writer_.add_complete(complete);
  leader.add_complete(complete);
  writer_clock_.pass_barrier();
  const auto workgroup = std::make_shared<const Knowledge>(complete.workgroup);
  const auto device = std::make_shared<const Knowledge>(complete.device);
  leader.meet(workgroup, device, writer_clock_);
  leader.issue(true, true);
  auto release = std::make_shared<Release>();
  leader.add_release(writer_clock_.time(1), *release);
  load_word(release);
  reader_.wait(0, reader_clock_);
  reader_.invalidate_l1();
  EXPECT_TRUE(reader_.known().covers(data));
  EXPECT_FALSE(reader_.known().covers(late)) << "under way at the barrier";
}

TEST_P(TwoWorkgroups, WhoLoadsAWordKnowsThatItWasStored) {
  fence();
  writer_.issue(true, true);
  const Record word = Record::of(kWriter, 0, writer_clock_.time(0), 1, 0);
  auto release = std::make_shared<Release>();
  writer_.add_release(word.time(), *release);
  load_word(release);
  reader_.wait(0, reader_clock_);
  EXPECT_TRUE(reader_.arrived().covers(word)) << "it may be set back by a plain store";
}

}  // namespace
}  // namespace wavetank::check
