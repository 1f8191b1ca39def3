#include "check/group_queue.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace wavetank::check {
namespace {

TEST(GroupQueue, ReplaysInDispatchOrderWhateverEndsFirst) {
  GroupQueue queue;
  std::vector<std::uint64_t> replayed;
  for (const std::uint64_t index : {2u, 0u, 1u, 4u, 3u, 6u}) {
    std::unique_ptr<GroupRecord> record = queue.fresh();
    record->index = index;
    queue.add(std::move(record), [&](const GroupRecord& next) { replayed.push_back(next.index); });
  }
  EXPECT_EQ(replayed, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(queue.next(), 5u);
}

TEST(GroupQueue, ItIsTheTurnOfTheWorkgroupBeforeWhichAllAreReplayed) {
  GroupQueue queue;
  const auto end = [&](std::uint64_t index) {
    std::unique_ptr<GroupRecord> record = queue.fresh();
    record->index = index;
    queue.add(std::move(record), [&](const GroupRecord& next) {
      EXPECT_FALSE(queue.is_turn_of(next.index)) << "somebody replays it";
      EXPECT_FALSE(queue.is_turn_of(next.index + 1));
    });
  };
  EXPECT_TRUE(queue.is_turn_of(0));
  end(1);
  EXPECT_TRUE(queue.is_turn_of(0));
  EXPECT_FALSE(queue.is_turn_of(1)) << "the one before it has not ended";
  end(0);
  EXPECT_TRUE(queue.is_turn_of(2));
}

TEST(GroupQueue, WhoWaitsForLongRecordsToBeReplayedGoesOnInTheEnd) {
  constexpr std::uint64_t kGroups = 8, kBarriers = 200'000;
  GroupQueue queue;
  std::uint64_t replayed = 0;
  for (std::uint64_t i = 0; i < kGroups; ++i) {
    std::unique_ptr<GroupRecord> record = queue.fresh();
    record->index = kGroups - 1 - i;  // the next one ends last
    for (std::uint64_t barrier = 0; barrier < kBarriers; ++barrier) record->log.add_barrier();
    queue.add(std::move(record), [&](const GroupRecord& next) {
      EXPECT_EQ(next.index, replayed++);
      EXPECT_EQ(next.log.events().size(), kBarriers);
    });
  }
  EXPECT_EQ(replayed, kGroups);
}

TEST(GroupQueue, ReplaysOneAtATime) {
  constexpr std::uint64_t kGroups = 4000, kThreads = 4;
  GroupQueue queue;
  std::vector<std::uint64_t> replayed;  // without a lock
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (std::uint64_t index = thread; index < kGroups; index += kThreads) {
          std::unique_ptr<GroupRecord> record = queue.fresh();
          record->index = index;
          record->log.add_barrier();
          queue.add(std::move(record), [&](const GroupRecord& next) {
            EXPECT_EQ(next.log.events().size(), 1u);
            replayed.push_back(next.index);
          });
        }
      });
    }
  }
  ASSERT_EQ(replayed.size(), kGroups);
  for (std::uint64_t i = 0; i < kGroups; ++i) EXPECT_EQ(replayed[i], i);
}

}  // namespace
}  // namespace wavetank::check
