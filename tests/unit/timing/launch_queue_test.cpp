// Launches in a queue: RRZE-HPC/gpu-benches gpu-small-kernels on MI210.
#include "timing/dispatch/launch_queue.hpp"

#include <gtest/gtest.h>

namespace wavetank::timing {
namespace {

constexpr LaunchSpec kSpec{.start_ns = 680, .end_ns = 500, .interval_ns = 2100, .turnover_ns = 350};

/// From the signal of the launch before to that of the next one.
double whole_ns(LaunchQueue& queue, double kernel_ns) {
  const double before = queue.now_ns();
  const double overhead = queue.overhead_ns();
  queue.run(kernel_ns);
  EXPECT_DOUBLE_EQ(queue.now_ns() - before, overhead + kernel_ns);
  return queue.now_ns() - before;
}

TEST(LaunchQueue, ALaunchThatIsAloneHasAllOfItsOverhead) {
  LaunchQueue queue(kSpec);
  EXPECT_EQ(whole_ns(queue, 1000), 680 + 1000 + 500);
}

TEST(LaunchQueue, SmallKernelsFollowEachOtherInTheirInterval) {
  LaunchQueue queue(kSpec);
  queue.run(800);
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(whole_ns(queue, 800), 2100);
}

TEST(LaunchQueue, ALongKernelHidesThePreparationOfTheNext) {
  LaunchQueue queue(kSpec);
  queue.run(9000);
  EXPECT_EQ(whole_ns(queue, 9000), 9000 + 350);
}

TEST(LaunchQueue, NothingIsPreparedWhileTheDeviceCopies) {
  LaunchQueue queue(kSpec);
  queue.run(9000);
  queue.pass(5000);
  EXPECT_EQ(whole_ns(queue, 1000), 680 + 1000 + 500);
}

}  // namespace
}  // namespace wavetank::timing
