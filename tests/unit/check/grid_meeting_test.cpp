// What ds_gws_barrier orders: what was complete when waves came to it.
#include <gtest/gtest.h>

#include "small_launch.hpp"

namespace wavetank::check {
namespace {

using machine::MemorySpace;

/// Two workgroups of two waves: the first wave of one stores, the second wave of the other one
/// loads after all have met.
class Meeting : public ::testing::TestWithParam<bool> {
 protected:
  Meeting()
      : launch_(2, 2,
                {.stores_show_atomicity = GetParam(),
                 .l2_is_shared = !GetParam(),
                 .learns_of_others = true}) {}
  void store() { launch_.access(0, 1, Does::kStore, MemorySpace::kGlobal, 0, 1); }
  void load() { launch_.access(1, 1, Does::kLoad, MemorySpace::kGlobal, 0, 2); }
  void fence() {
    for (unsigned group = 0; group < 2; ++group) {
      for (unsigned wave = 0; wave < 2; ++wave) {
        if (GetParam()) launch_.cache_control(group, wave, true, 10);
        if (waits_) launch_.wait(group, wave);
        if (invalidates_) launch_.cache_control(group, wave, false, 11);
      }
    }
  }
  void barriers() {
    for (unsigned group = 0; group < 2; ++group) launch_.barrier(group);
  }
  void meet() {
    for (unsigned group = 0; group < 2; ++group) launch_.arrive_at_global_barrier(group, 0);
    for (unsigned group = 0; group < 2; ++group) launch_.global_barrier(group);
    for (unsigned group = 0; group < 2 && waits_behind_; ++group) launch_.wait(group, 0);
  }
  void sync() {
    fence();
    if (barrier_before_) barriers();
    meet();
    if (barrier_behind_) barriers();
  }

  SmallLaunch launch_;
  bool waits_ = true, invalidates_ = true, waits_behind_ = true;
  bool barrier_before_ = true, barrier_behind_ = true;
};
INSTANTIATE_TEST_SUITE_P(OnBothTargets, Meeting, ::testing::Values(false, true));

TEST_P(Meeting, OrdersWhatComesBeforeAndBehindIt) {
  load();
  store();
  EXPECT_FALSE(launch_.found_nothing()) << "before they meet";
}

TEST_P(Meeting, OrdersAsGridSyncIsCompiled) {
  for (int round = 0; round < 3; ++round) {
    store();
    sync();
    load();
    sync();
  }
  EXPECT_TRUE(launch_.found_nothing());
}

TEST_P(Meeting, OrdersNoStoreThatIsUnderWay) {
  waits_ = false;
  store();
  sync();
  load();
  EXPECT_FALSE(launch_.found_nothing());
}

TEST_P(Meeting, OrdersNothingOfAWaveThatItsOwnHasNotMet) {
  barrier_before_ = false;
  store();
  sync();
  load();
  EXPECT_FALSE(launch_.found_nothing());
}

TEST_P(Meeting, OrdersNothingForAWaveThatGoesOnAlone) {
  barrier_behind_ = false;
  store();
  sync();
  load();
  EXPECT_FALSE(launch_.found_nothing());
}

TEST_P(Meeting, IsUnderWayUntilItIsWaitedFor) {
  waits_behind_ = false;
  store();
  sync();
  load();
  EXPECT_FALSE(launch_.found_nothing());
}

TEST_P(Meeting, LeavesOldLinesInTheL1) {
  for (const bool loads_before : {false, true}) {
    invalidates_ = false;
    if (loads_before) launch_.access(1, 1, Does::kLoad, MemorySpace::kGlobal, 2048, 3);
    store();
    sync();
    load();
    EXPECT_EQ(launch_.found_nothing(), !loads_before);
    if (!loads_before) sync();
  }
}

}  // namespace
}  // namespace wavetank::check
