#include "dispatch/patience.hpp"

#include <gtest/gtest.h>

namespace wavetank::dispatch {
namespace {

/// How many groups run side by side after some rounds in which all work, if there are enough.
std::size_t groups_after(Patience patience, unsigned rounds) {
  std::size_t groups = 1;
  for (unsigned round = 0; round < rounds; ++round) {
    if (patience.wants_another(groups)) {
      ++groups;
      patience.reset();
    }
    for (std::size_t i = 0; i < groups; ++i) patience.after(Progress::kWorking);
  }
  return groups;
}

TEST(Patience, AGroupThatWorksStaysAloneForAWhile) {
  EXPECT_EQ(groups_after(Patience(false, false), 20), 1u);
}

TEST(Patience, GroupsThatMixAreSoonAFew) {
  const std::size_t few = groups_after(Patience(false, true), 8);
  EXPECT_GT(few, 2u);
  EXPECT_EQ(groups_after(Patience(false, true), 10), few);
}

TEST(Patience, AllGroupsOfACooperativeLaunchComeSoon) {
  EXPECT_GT(groups_after(Patience(true, false), 40), 8u);
}

TEST(TimeSlice, OfAGroupThatMixesGrowsFromOneBranchToTheUsual) {
  TimeSlice slice = TimeSlice::growing();
  EXPECT_EQ(slice.branches(), 1);
  slice.after(Progress::kWorking);
  EXPECT_EQ(slice.branches(), 2);
  slice.after(Progress::kWorking);
  EXPECT_EQ(slice.branches(), 4);
  for (unsigned i = 0; i < 20; ++i) slice.after(Progress::kWorking);
  EXPECT_EQ(slice.branches(), TimeSlice().branches());
}

TEST(TimeSlice, OfAGroupThatOnlyWaitsShrinks) {
  TimeSlice slice;
  const std::int64_t before = slice.branches();
  slice.after(Progress::kWaiting);
  EXPECT_LT(slice.branches(), before);
  slice.after(Progress::kWorking);
  EXPECT_EQ(slice.branches(), before);
}

}  // namespace
}  // namespace wavetank::dispatch
