// Tags of the caches, and the small caches of scalars and instructions.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "assembly.hpp"
#include "timing/caches/small_cache.hpp"
#include "timing/caches/tag_array.hpp"
#include "timing/memory/memory_system.hpp"

namespace wavetank::timing::testing {
namespace {

TEST(TagArrayTest, KeepsTheLinesUsedLast) {
  TagArray<CacheLine> cache(8, 2);
  CacheLine evicted;
  EXPECT_EQ(cache.sets(), 4u);
  cache.replace(1, 10, evicted);
  EXPECT_EQ(evicted.tag, CacheLine::kNone);
  cache.replace(1, 11, evicted);
  ASSERT_NE(cache.find(1, 10), nullptr);
  cache.replace(1, 12, evicted);
  EXPECT_EQ(evicted.tag, 11u) << "10 was used since";
  EXPECT_NE(cache.find(1, 10), nullptr);
  EXPECT_EQ(cache.find(1, 11), nullptr);
}

TEST(TagArrayTest, LinesMarkedAsTheNextToGoAreReplacedFirst) {
  TagArray<CacheLine> cache(16, 16);
  CacheLine evicted;
  for (std::uint64_t tag = 0; tag < 16; ++tag) cache.replace(0, tag, evicted);
  cache.let_go(*cache.find(0, 7));
  cache.replace(0, 16, evicted);
  EXPECT_EQ(evicted.tag, 7u);
}

TEST(TagArrayTest, OfLinesThatHoldNothingOrWereLetGoTheFirstGoesFirst) {
  TagArray<CacheLine> cache(4, 4);
  CacheLine evicted;
  for (std::uint64_t tag = 0; tag < 4; ++tag) cache.replace(0, tag, evicted);
  for (const std::uint64_t tag : {3, 0, 2}) cache.let_go(*cache.find(0, tag));
  cache.find(0, 2);
  for (const std::uint64_t gone : {0, 3, 1, 2}) {
    cache.replace(0, 10 + gone, evicted);
    EXPECT_EQ(evicted.tag, gone) << "2 was used since, and 1 is older than that";
  }
  cache.invalidate();
  cache.replace(0, 20, evicted);
  cache.let_go(*cache.find(0, 20));
  cache.replace(0, 21, evicted);
  EXPECT_EQ(evicted.tag, 20u) << "it is before the empty ones";
}

TEST(TagArrayTest, ManyWaysGoInTheOrderOfTheirLastUse) {
  // Against a plain list, youngest last.
  constexpr std::uint32_t kWays = 37;
  TagArray<CacheLine> cache(2 * kWays, kWays);
  CacheLine evicted;
  std::vector<std::uint64_t> list;
  std::uint64_t random = 1;
  for (unsigned i = 0; i < 5000; ++i) {
    random = random * 6364136223846793005 + 1442695040888963407;
    const std::uint64_t tag = (random >> 33) % 60;
    const auto place = std::ranges::find(list, tag);
    const bool known = place != list.end();
    ASSERT_EQ(cache.find(1, tag) != nullptr, known);
    if (known) {
      list.erase(place);
    } else {
      cache.replace(1, tag, evicted);
      const bool full = list.size() == kWays;
      ASSERT_EQ(evicted.tag, full ? list.front() : CacheLine::kNone);
      if (full) list.erase(list.begin());
    }
    list.push_back(tag);
  }
}

TEST(TagArrayTest, TellsAllTagsApartThatASetHolds) {
  // As many tags as a byte has values: some share their sign.
  constexpr std::uint64_t kTags = Ways::kMost;
  TagArray<CacheLine> cache(kTags, kTags);
  CacheLine evicted;
  for (std::uint64_t tag = 0; tag < kTags; ++tag) cache.replace(0, tag, evicted).dirty = tag % 7;
  for (std::uint64_t tag = 0; tag < kTags; ++tag) {
    const CacheLine* const line = cache.find(0, tag);
    ASSERT_NE(line, nullptr);
    EXPECT_EQ(line->tag, tag);
    EXPECT_EQ(line->dirty, tag % 7);
  }
  EXPECT_EQ(cache.find(0, kTags), nullptr);
}

TEST(TagArrayTest, WaysThatFillNoWholeBlockAreAllUsedAndNoOthers) {
  TagArray<CacheLine> cache(6, 3);
  CacheLine evicted;
  for (std::uint64_t tag = 0; tag < 3; ++tag) cache.replace(0, tag, evicted);
  EXPECT_EQ(evicted.tag, CacheLine::kNone);
  cache.replace(0, 3, evicted);
  EXPECT_EQ(evicted.tag, 0u);
  EXPECT_EQ(cache.find(1, 1), nullptr) << "the other set is empty";
}

/// A small cache with all of MI210's memory behind it.
struct CacheAndMemory {
  MemorySystem memory{spec_of("mi210")};
  MemoryPort port{0};
  SmallCache cache{32768, 64, 8, 200, SmallCache::Followed::kByNothing, port};
  WindowCrew crew;

  /// When the line of `address`, asked for at `time`, is there.
  std::uint64_t ready(std::uint64_t address, std::uint64_t time) {
    const Due due = cache.request(address, time).ready;
    MemoryPort* const ports[] = {&port};
    memory.serve(ports, crew);
    const std::uint64_t cycle = cache.cycle_of(due);
    cache.settle();
    port.clear();
    return cycle;
  }
};

TEST(SmallCacheTest, ARequestForLaterDoesNotKeepOthersWaiting) {
  CacheAndMemory one;
  const std::uint64_t filled = one.ready(0, 0);
  one.ready(0, filled + 5000);
  EXPECT_EQ(one.ready(0, filled + 100), filled + 100);
}

TEST(SmallCacheTest, OneLinePassesInACycle) {
  CacheAndMemory one;
  const std::uint64_t at = (one.ready(0, 0) / 4 + 1) * 4;
  std::uint64_t last = 0;
  for (unsigned i = 0; i < 40; ++i) last = one.ready(0, at);
  EXPECT_EQ(last, at + 39);
}

TEST(SmallCacheTest, LaterMissesAreDuplicatesAsLongAsThereIsRoomAndAskNobody) {
  MemoryPort port(0);
  SmallCache cache(32768, 64, 8, 200, SmallCache::Followed::kByNothing, port);
  const auto first = cache.request(0, 0);
  EXPECT_EQ(first.outcome, SmallCacheOutcome::kMiss);
  for (unsigned i = 1; i <= 31; ++i) {
    const auto later = cache.request(0, i);
    EXPECT_EQ(later.outcome, i <= 30 ? SmallCacheOutcome::kDuplicateMiss : SmallCacheOutcome::kHit);
    EXPECT_EQ(later.ready, first.ready);
  }
  EXPECT_EQ(port.requests().size(), 1u);
}

TEST(SmallCacheTest, TheFirstRequestOfALineBringsTheNextOneToo) {
  MemoryPort port(0);
  SmallCache cache(32768, 64, 8, 200, SmallCache::Followed::kByNextLine, port);
  EXPECT_EQ(cache.request(0, 0).asked_l2, 2u);
  EXPECT_EQ(cache.request(32, 1).asked_l2, 0u) << "the same line";
  const auto second = cache.request(64, 2);
  EXPECT_EQ(second.outcome, SmallCacheOutcome::kDuplicateMiss);
  EXPECT_EQ(second.asked_l2, 1u) << "the third line";
  EXPECT_EQ(port.requests().size(), 3u);
}

TEST(TagArrayTest, SetsDoNotDisturbEachOtherAndWrapAround) {
  TagArray<CacheLine> cache(8, 2);
  CacheLine evicted;
  for (std::uint64_t tag = 0; tag < 8; ++tag) cache.replace(tag, tag, evicted);
  EXPECT_EQ(evicted.tag, CacheLine::kNone);
  cache.replace(8, 8, evicted);
  EXPECT_EQ(evicted.tag, 0u);
}

TEST(TagArrayTest, HoldsWhatWasEvictedForTheCaller) {
  TagArray<CacheLine> cache(1, 1);
  CacheLine evicted;
  cache.replace(0, 1, evicted).dirty = 3;
  cache.replace(0, 2, evicted);
  EXPECT_EQ(evicted.tag, 1u);
  EXPECT_EQ(evicted.dirty, 3u);
  cache.invalidate();
  EXPECT_EQ(cache.find(0, 2), nullptr);
}

TEST(TagArrayTest, AnEmptiedCacheHoldsNothingThatItHeld) {
  TagArray<CacheLine> cache(8, 4);
  for (const std::uint64_t set : {0, 1}) cache.replace(set, 5);
  CacheLine& line = *cache.find(0, 5);
  line.dirty = line.valid = 3;
  cache.let_go(line);
  cache.invalidate();
  EXPECT_FALSE(cache.contains(0, 5));
  EXPECT_FALSE(cache.prefetch_line(1, 5));
  unsigned present = 0;
  cache.for_each([&](CacheLine&) { ++present; });
  EXPECT_EQ(present, 0u);
  CacheLine evicted;
  const CacheLine& again = cache.replace(0, 6, evicted);
  EXPECT_EQ(evicted.tag, CacheLine::kNone);
  EXPECT_EQ(again.dirty + again.valid + (again.was_let_go ? 1 : 0), 0);
}

TEST(TagArrayTest, LinesOfALaunchBeforeAreThereAndTheirDataHasCome) {
  TagArray<CacheLine> cache(8, 4);
  CacheLine& line = cache.replace(1, 5);
  line.ready = Due::at(5000);
  line.dirty = 2;
  EXPECT_EQ(cache.find(1, 5)->ready, Due::at(5000));
  cache.start_launch();
  ASSERT_NE(cache.find(1, 5), nullptr);
  EXPECT_EQ(cache.find(1, 5)->ready, Due());
  EXPECT_EQ(cache.find(1, 5)->dirty, 2u);
}

TEST(TagArrayTest, TakesWhatAnotherOneOfItsShapeHolds) {
  TagArray<CacheLine> cache(8, 4), other(8, 4), smaller(4, 4);
  other.invalidate();
  other.replace(1, 5);
  cache.replace(1, 6);
  EXPECT_FALSE(smaller.take(std::move(other)));
  EXPECT_TRUE(cache.take(std::move(other)));
  EXPECT_TRUE(cache.contains(1, 5));
  EXPECT_FALSE(cache.contains(1, 6));
}

}  // namespace
}  // namespace wavetank::timing::testing
