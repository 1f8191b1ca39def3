#include "check/race_rules.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace wavetank::check {
namespace {

/// Accesses of the waves of some workgroups to one cell.
class OneCell : public ::testing::Test {
 protected:
  OneCell() {
    for (std::uint32_t group = 0; group < clocks_.size(); ++group)
      clocks_[group].begin(1 + group, 4);
  }
  /// True if the access races with something before it.
  bool access(unsigned group, unsigned wave, AccessKind kind, bool meets_stores = false,
              bool narrow = false) {
    const GroupClock& clock = clocks_[group];
    Meeting now{clock, 1, kind, nullptr, Record::of(clock.actor(), wave, clock.time(wave), 7, 0)};
    if (meets_stores) now.mine.set_meets_stores();
    if (narrow) now.mine.set_narrow();
    bool raced = false;
    meet(cell_, now, [&](const Record&, AccessKind) { raced = true; });
    return raced;
  }
  bool read(unsigned group, unsigned wave) { return access(group, wave, AccessKind::kRead); }
  bool write(unsigned group, unsigned wave) { return access(group, wave, AccessKind::kWrite); }
  void barrier(unsigned group) { clocks_[group].pass_barrier(); }

  std::vector<GroupClock> clocks_ = std::vector<GroupClock>(4);
  Cell cell_;
};

TEST_F(OneCell, AWaveNeverRacesWithItself) {
  EXPECT_FALSE(write(0, 1));
  EXPECT_FALSE(read(0, 1));
  EXPECT_FALSE(write(0, 1));
}

TEST_F(OneCell, AStoreRacesWithAnotherWavesLoadUntilABarrierLiesBetween) {
  EXPECT_FALSE(write(0, 0));
  EXPECT_TRUE(read(0, 1));
  barrier(0);
  EXPECT_FALSE(read(0, 2));
  EXPECT_TRUE(write(0, 3));
}

TEST_F(OneCell, LoadsNeverRaceWithLoads) {
  for (unsigned group = 0; group < 4; ++group) {
    for (unsigned wave = 0; wave < 4; ++wave) EXPECT_FALSE(read(group, wave));
  }
}

TEST_F(OneCell, ABarrierOfAWorkgroupOrdersNothingForAnother) {
  EXPECT_FALSE(write(0, 0));
  barrier(0);
  barrier(1);
  EXPECT_TRUE(read(1, 0));
}

TEST_F(OneCell, AStoreRacesWithALoadOfAnotherWorkgroupThatCameBetweenThoseOfItsOwn) {
  EXPECT_FALSE(read(0, 0));
  EXPECT_FALSE(read(0, 1));
  EXPECT_FALSE(read(1, 0));
  EXPECT_FALSE(read(0, 2));
  barrier(0);
  EXPECT_TRUE(write(0, 3));
}

TEST_F(OneCell, AtomicsRaceWithPlainAccessesOnly) {
  EXPECT_FALSE(access(0, 0, AccessKind::kAtomic));
  EXPECT_FALSE(access(1, 0, AccessKind::kAtomic));
  EXPECT_FALSE(access(2, 0, AccessKind::kAtomicRead));
  EXPECT_TRUE(read(3, 0));
  EXPECT_TRUE(write(2, 0));
}

TEST_F(OneCell, AnAtomicRacesWithAPlainStoreBeforeIt) {
  EXPECT_FALSE(write(0, 0));
  EXPECT_TRUE(access(1, 0, AccessKind::kAtomic));
}

TEST_F(OneCell, AnExchangeAndAStoreThatMayBeAtomicDoNotRace) {
  EXPECT_FALSE(access(0, 0, AccessKind::kAtomic, true));
  EXPECT_FALSE(write(1, 0));
  EXPECT_FALSE(access(2, 0, AccessKind::kAtomic, true));
}

TEST_F(OneCell, RecordsOfEarlierLaunchesAreInThePast) {
  EXPECT_FALSE(write(0, 0));
  Meeting later{clocks_[1], 2, AccessKind::kRead, nullptr, Record::of(2, 0, 1, 7, 0)};
  bool raced = false;
  meet(cell_, later, [&](const Record&, AccessKind) { raced = true; });
  EXPECT_FALSE(raced);
}

TEST_F(OneCell, AnAtomicOfAWorkgroupsScopeMeetsThoseOfItsOwnWorkgroupOnly) {
  EXPECT_FALSE(access(0, 0, AccessKind::kAtomicWrite, false, true));
  EXPECT_FALSE(access(0, 1, AccessKind::kAtomicRead, false, true));
  EXPECT_FALSE(access(0, 1, AccessKind::kAtomic));
  EXPECT_FALSE(access(1, 0, AccessKind::kAtomic)) << "the last store is as wide as the device";
  EXPECT_TRUE(access(2, 0, AccessKind::kAtomicRead, false, true));
  EXPECT_FALSE(access(1, 0, AccessKind::kAtomicWrite, false, true));
  EXPECT_TRUE(access(2, 0, AccessKind::kAtomicRead));
}

TEST_F(OneCell, APlainStoreOfAnotherWorkgroupIsNoPartnerOfANarrowLoad) {
  EXPECT_FALSE(write(0, 0));
  EXPECT_FALSE(access(0, 1, AccessKind::kAtomicRead, true, true));
  EXPECT_TRUE(access(1, 0, AccessKind::kAtomicRead, true, true));
  EXPECT_FALSE(access(1, 0, AccessKind::kAtomicRead, true));
}

TEST_F(OneCell, TheLastOfSeveralAtomicsMayNotLookPlainlyAtWhatTheOthersChanged) {
  for (unsigned wave = 0; wave < 3; ++wave) EXPECT_FALSE(access(0, wave, AccessKind::kAtomic));
  EXPECT_TRUE(read(0, 2));
}

TEST_F(OneCell, AWaveThatAloneChangedAWordMayLookAtIt) {
  EXPECT_FALSE(access(0, 1, AccessKind::kAtomic));
  EXPECT_FALSE(access(0, 1, AccessKind::kAtomic));
  EXPECT_FALSE(read(0, 1));
  EXPECT_FALSE(write(0, 1));
}

}  // namespace
}  // namespace wavetank::check
