#include "check/operation_history.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace wavetank::check {
namespace {

std::shared_ptr<const Operation> operation(std::uint64_t line, std::uint64_t number,
                                           const OrderClock& known = {}) {
  auto made = std::make_shared<Operation>();
  made->line = line;
  made->number = number;
  made->known = known;
  return made;
}

OrderClock knows(std::uint64_t line, std::uint64_t number) {
  OrderClock clock;
  clock.learn(line, number);
  return clock;
}

TouchedRange reads(std::uint64_t begin, std::uint64_t end, std::uint32_t site = 0) {
  return {begin, end, AccessKind::kRead, site};
}
TouchedRange writes(std::uint64_t begin, std::uint64_t end, std::uint32_t site = 0) {
  return {begin, end, AccessKind::kWrite, site};
}
TouchedRange atomics(std::uint64_t begin, std::uint64_t end) {
  return {begin, end, AccessKind::kAtomic, 0};
}

TEST(OperationHistory, TwoLinesThatTouchTheSameBytesConflict) {
  OperationHistory history;
  EXPECT_TRUE(history.add(operation(1, 1), {writes(100, 200, 7)}).empty());
  const auto found = history.add(operation(2, 1), {reads(150, 300, 9)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].address, 150u);
  EXPECT_EQ(found[0].bytes, 50u);
  EXPECT_EQ(found[0].first.site, 7u);
  EXPECT_EQ(found[0].second.site, 9u);
}

TEST(OperationHistory, OneByteFurtherIsNoConflict) {
  OperationHistory history;
  history.add(operation(1, 1), {writes(100, 200)});
  EXPECT_TRUE(history.add(operation(2, 1), {writes(200, 300)}).empty());
  EXPECT_TRUE(history.add(operation(3, 1), {writes(0, 100)}).empty());
}

TEST(OperationHistory, ReadsAndAtomicsDoNotConflictAmongEachOther) {
  OperationHistory history;
  history.add(operation(1, 1), {reads(0, 8), atomics(8, 16)});
  EXPECT_TRUE(history.add(operation(2, 1), {reads(0, 8), atomics(8, 16)}).empty());
  EXPECT_EQ(history.add(operation(3, 1), {atomics(0, 8)}).size(), 2u);
  EXPECT_EQ(history.add(operation(4, 1), {reads(8, 16)}).size(), 2u);
}

TEST(OperationHistory, WhatIsKnownToBeDoneIsOrdered) {
  OperationHistory history;
  history.add(operation(1, 1), {writes(0, 8)});
  EXPECT_TRUE(history.add(operation(2, 1, knows(1, 1)), {writes(0, 8)}).empty());
  history.add(operation(1, 2, knows(2, 1)), {writes(0, 8)});
  EXPECT_EQ(history.add(operation(2, 2, knows(1, 1)), {reads(0, 8)}).size(), 1u);
}

TEST(OperationHistory, AnEarlierWriteStaysWhereALaterOneDoesNotReach) {
  OperationHistory history;
  history.add(operation(1, 1), {writes(0, 100, 5)});
  history.add(operation(1, 2), {writes(40, 60, 6)});
  const auto found = history.add(operation(2, 1), {reads(0, 100)});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].first.site, 5u);
  EXPECT_EQ(found[1].first.site, 6u);
  EXPECT_EQ(history.add(operation(3, 1, knows(1, 2)), {reads(0, 100)}).size(), 0u);
}

TEST(OperationHistory, AForgottenLineConflictsWithNothing) {
  OperationHistory history;
  history.add(operation(1, 2), {writes(0, 8)});
  history.forget(knows(1, 1));
  EXPECT_FALSE(history.empty());
  history.forget(knows(1, 2));
  EXPECT_TRUE(history.empty());
}

TEST(OperationHistory, TellsWhoMayStillReadOrWrite) {
  OperationHistory history;
  history.add(operation(1, 1), {reads(0, 8), writes(8, 16)});
  EXPECT_TRUE(history.open_at(0, 8, {}).reads);
  EXPECT_FALSE(history.open_at(0, 8, {}).writes);
  EXPECT_TRUE(history.open_at(4, 12, {}).writes);
  EXPECT_FALSE(history.open_at(4, 12, knows(1, 1)).writes);
}

std::vector<std::uint64_t> begins(const TouchedRanges& ranges) {
  std::vector<std::uint64_t> all;
  ranges.visit([&](const TouchedRange& range) { all.push_back(range.begin); });
  return all;
}

TEST(TouchedRanges, NeighboursOfOneSiteAreOneRange) {
  TouchedRanges ranges;
  for (std::uint64_t at = 0; at < 32; at += 4) ranges.add(writes(at, at + 4, at < 16 ? 1 : 2));
  ranges.add(reads(16, 20, 3));
  EXPECT_EQ(begins(ranges), (std::vector<std::uint64_t>{16, 0, 16}));  // reads come first
}

TEST(TouchedRanges, ThoseInEqualDistancesAreOneRun) {
  TouchedRanges ranges;
  std::vector<std::uint64_t> expected;
  for (std::uint64_t at = 0; at < 32'000; at += 32) {
    ranges.add(writes(at, at + 4, 1));
    ranges.add(writes(at + 4, at + 8, 1));
    ranges.add(reads(at + 8, at + 12, 1));
    expected.push_back(at + 8);
  }
  for (std::uint64_t at = 0; at < 32'000; at += 32) expected.push_back(at);
  EXPECT_EQ(begins(ranges), expected);
  EXPECT_LE(ranges.runs(), 4u);  // the last of each kind may still grow
}

TEST(TouchedRanges, RunsOfOtherLengthsDistancesOrSitesStayApart) {
  const TouchedRanges ranges = {reads(0, 4, 1),   reads(8, 12, 1),  reads(20, 24, 1),
                                reads(32, 40, 1), reads(48, 56, 2), reads(64, 72, 2)};
  EXPECT_EQ(begins(ranges), (std::vector<std::uint64_t>{0, 8, 20, 32, 48, 64}));
}

}  // namespace
}  // namespace wavetank::check
