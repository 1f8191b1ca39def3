// What the memory system does in a launch's steady part stands for what is not simulated.
#include "timing/memory/memory_counts.hpp"

#include <gtest/gtest.h>

namespace wavetank::timing {
namespace {

constexpr std::uint64_t kInstructionsOfInterval = 1000;
constexpr auto kWritten = static_cast<std::size_t>(ChannelCounter::kEaWrreq);

/// A launch whose first `idle` intervals write nothing, later ones `bytes` each, and one channel a
/// request for each 64.
MemoryCounts after(unsigned intervals, unsigned idle, double bytes) {
  MemoryCounts counts;
  counts.traffic.hbm_written = intervals > idle ? bytes * (intervals - idle) : 0;
  counts.channels.resize(1);
  counts.channels[0][kWritten] = counts.traffic.hbm_written / 64;
  counts.busy.hbm = {counts.traffic.hbm_written / 32};
  return counts;
}

MemoryCounts whole_after(unsigned intervals, unsigned idle, double bytes, unsigned unseen) {
  SteadyMemory steady;
  for (unsigned i = 1; i <= intervals; ++i) {
    steady.interval_ended(after(i, idle, bytes), i * kInstructionsOfInterval);
  }
  return steady.whole(after(intervals, idle, bytes), unseen * double{kInstructionsOfInterval});
}

TEST(SteadyMemory, LeavesTheWarmUpOutOfWhatIsNotSeen) {
  const MemoryCounts whole = whole_after(8, 3, 6400, 92);
  EXPECT_DOUBLE_EQ(whole.traffic.hbm_written, 97 * 6400.0);
  EXPECT_DOUBLE_EQ(whole.channels[0][kWritten], 97 * 100.0);
  EXPECT_DOUBLE_EQ(whole.busy.hbm[0], 97 * 200.0);
}

TEST(SteadyMemory, OfALaunchThatIsSimulatedWholeIsWhatItDid) {
  EXPECT_DOUBLE_EQ(whole_after(8, 3, 6400, 0).traffic.hbm_written, 5 * 6400.0);
}

TEST(SteadyMemory, ForgetsNoMomentThatItStillNeeds) {
  for (unsigned intervals = 8; intervals < 200; ++intervals) {
    const unsigned idle = intervals / 2 - 1;
    const MemoryCounts whole = whole_after(intervals, idle, 64, 1000);
    EXPECT_NEAR(whole.traffic.hbm_written, 64.0 * (intervals - idle + 1000), 1e-6) << intervals;
  }
}

}  // namespace
}  // namespace wavetank::timing
