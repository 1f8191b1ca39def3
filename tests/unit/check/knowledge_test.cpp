#include "check/knowledge.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace wavetank::check {
namespace {

Record access(std::uint32_t actor, unsigned wave, std::uint32_t time) {
  return Record::of(actor, wave, time, 1, 0);
}

TEST(Knowledge, CoversWhatLiesBeforeWhatWasLearnt) {
  Knowledge mine;
  EXPECT_FALSE(mine.covers(access(7, 2, 1)));
  mine.learn(7, 2, 5);
  EXPECT_TRUE(mine.covers(access(7, 2, 4)));
  EXPECT_FALSE(mine.covers(access(7, 2, 5)));
  EXPECT_FALSE(mine.covers(access(7, 3, 1))) << "another wave";
  EXPECT_FALSE(mine.covers(access(8, 2, 1))) << "another workgroup";
}

TEST(Knowledge, ForgetsNothing) {
  Knowledge mine;
  mine.learn(7, 2, 5);
  mine.learn(7, 2, 3);
  EXPECT_TRUE(mine.covers(access(7, 2, 4)));
}

TEST(Knowledge, JoinsWhatTwoKnow) {
  Knowledge mine, other;
  mine.learn(1, 0, 9);
  mine.learn(0xfffffff0u, 1, 3);
  other.learn(1, 0, 4);
  other.learn(1, 1, 4);
  other.learn(300, 5, 2);
  mine.learn(other);
  EXPECT_TRUE(mine.covers(access(1, 0, 8)));
  EXPECT_TRUE(mine.covers(access(1, 1, 3)));
  EXPECT_TRUE(mine.covers(access(300, 5, 1)));
  EXPECT_TRUE(mine.covers(access(0xfffffff0u, 1, 2)));
  EXPECT_FALSE(other.covers(access(1, 0, 8))) << "the other one learnt nothing";
}

TEST(Knowledge, GivesWhatIsKnownOfOneWorkgroup) {
  Knowledge mine;
  mine.learn(1, 0, 9);
  mine.learn(2, 0, 9);
  EXPECT_TRUE(mine.of(2).covers(access(2, 0, 8)));
  EXPECT_FALSE(mine.of(2).covers(access(1, 0, 8)));
}

/// A chain of look-backs: each workgroup learns from the one before, and what it knew is kept.
TEST(Knowledge, AChainOfManyIsCheap) {
  constexpr std::uint32_t kGroups = 20000;
  std::vector<Knowledge> of_group(kGroups);
  for (std::uint32_t group = 1; group < kGroups; ++group) {
    of_group[group] = of_group[group - 1];
    of_group[group].learn(group, 0, 2);
  }
  EXPECT_TRUE(of_group.back().covers(access(1, 0, 1)));
  EXPECT_FALSE(of_group[100].covers(access(101, 0, 1)));
}

}  // namespace
}  // namespace wavetank::check
