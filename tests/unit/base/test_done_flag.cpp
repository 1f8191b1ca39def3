#include "base/done_flag.hpp"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace {

std::atomic<int> yields{0};

}  // namespace

/// Instead of the C library's, for everything in this program.
extern "C" int sched_yield() noexcept {
  ++yields;
  return 0;
}

namespace wavetank {
namespace {

TEST(DoneFlag, IsDoneOnceItIsSetAndStaysSo) {
  DoneFlag flag;
  EXPECT_FALSE(flag.done());
  flag.set();
  EXPECT_TRUE(flag.done());
  flag.wait();
  EXPECT_TRUE(flag.done());
}

TEST(DoneFlag, SetWakesAllWhoSleepAndTheySeeWhatCameBefore) {
  for (int round = 0; round < 500; ++round) {
    DoneFlag flag;
    int written = 0;
    std::atomic<int> seen{0};
    std::vector<std::thread> waiters;
    for (int i = 0; i < 4; ++i) {
      waiters.emplace_back([&] {
        flag.wait();
        seen += written;
      });
    }
    written = 1;
    flag.set();
    for (std::thread& waiter : waiters) waiter.join();
    ASSERT_EQ(seen, 4);
  }
}

TEST(DoneFlag, AWaitMayEndBeforeItIsSet) {
  using namespace std::chrono_literals;
  DoneFlag flag;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(flag.wait_for(2ms));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 1ms);
  std::thread setter([&] { flag.set(); });
  EXPECT_TRUE(flag.wait_for(1h));
  setter.join();
  EXPECT_TRUE(flag.wait_for(0us));
}

TEST(DoneFlag, AWaitSleepsAndNeverYields) {
  using namespace std::chrono_literals;
  std::this_thread::yield();
  ASSERT_EQ(yields.exchange(0), 1);
  DoneFlag flag;
  std::thread waiter([&] { flag.wait(); });
  std::this_thread::sleep_for(20ms);
  flag.set();
  waiter.join();
  EXPECT_EQ(yields, 0);
}

TEST(Futex, AWaitEndsAtOnceWhenTheWordIsAnotherAndAfterItsTimeWhenItIsNot) {
  using namespace std::chrono_literals;
  const std::atomic<std::uint32_t> word{1};
  futex_wait(word, 0);
  const auto begin = std::chrono::steady_clock::now();
  // Early wakes are allowed, but nobody wakes here.
  futex_wait_for(word, 1, 2ms);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 2ms);
}

}  // namespace
}  // namespace wavetank
