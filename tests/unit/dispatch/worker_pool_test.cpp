#include "dispatch/worker_pool.hpp"

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace wavetank::dispatch {
namespace {

TEST(WorkerPool, HelpersComeWhenTheyAreCalledAndNotBefore) {
  WorkerPool pool(2);
  std::atomic<int> begun{0};
  const std::function<void()> task = [&] { ++begun; };
  {
    Team team(pool, 1, task);
    EXPECT_EQ(team.finish(), 0u);
  }
  EXPECT_EQ(begun, 0);
  Team team(pool, 1, task);
  team.call_helpers();
  while (begun == 0) std::this_thread::yield();
  EXPECT_EQ(team.finish(), 1u);
}

TEST(WorkerPool, AHelperThatHasNotBegunIsNotWaitedFor) {
  WorkerPool pool(2);
  std::latch release(1), busy(1);
  const std::function<void()> long_task = [&] {
    busy.count_down();
    release.wait();
  };
  Team occupied(pool, 1, long_task);
  occupied.call_helpers();
  busy.wait();
  bool came = false;
  const std::function<void()> task = [&] { came = true; };
  Team team(pool, 1, task);
  team.call_helpers();
  EXPECT_EQ(team.finish(), 0u);
  release.count_down();
  EXPECT_EQ(occupied.finish(), 1u);
  EXPECT_FALSE(came);
}

TEST(WorkerPool, FinishWaitsForEachHelperThatHasBegun) {
  WorkerPool pool(4);
  for (int round = 0; round < 2000; ++round) {
    std::atomic<unsigned> begun{0}, ended{0};
    const std::function<void()> task = [&] {
      ++begun;
      ++ended;
    };
    Team team(pool, 3, task);
    team.call_helpers();
    const unsigned helpers = team.finish();
    ASSERT_EQ(ended, helpers);
    ASSERT_EQ(begun, helpers);
  }
}

TEST(WorkerPool, AllHelpersThatATeamWantsWorkAtTheSameTime) {
  WorkerPool pool(4);
  std::latch all_there(4);
  const std::function<void()> task = [&] { all_there.arrive_and_wait(); };
  Team team(pool, 3, task);
  team.call_helpers();
  all_there.arrive_and_wait();
  EXPECT_EQ(team.finish(), 3u);
}

TEST(WorkerPool, TeamsOfSeveralThreadsShareTheHelpers) {
  WorkerPool pool(3);
  std::atomic<int> begun{0};
  unsigned helped[3] = {};
  {
    std::vector<std::jthread> callers;
    for (unsigned& count : helped) {
      callers.emplace_back([&] {
        const std::function<void()> task = [&] { ++begun; };
        for (int i = 0; i < 500; ++i) {
          Team team(pool, 2, task);
          team.call_helpers();
          count += team.finish();
        }
      });
    }
  }
  EXPECT_EQ(begun, static_cast<int>(helped[0] + helped[1] + helped[2]));
}

}  // namespace
}  // namespace wavetank::dispatch
