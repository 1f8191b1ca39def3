#include "profile/launch_log.hpp"

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "profile/launch_repeats.hpp"
#include "profile/result_number.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::profile {
namespace {

class LaunchLogTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "/launch_log_" + std::to_string(getpid()) + ".wt";
    std::filesystem::remove(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  /// Adds a launch that begins `index` times `kStepNs` after the first.
  void add(LaunchLog& log, LaunchProfile launch, std::uint64_t index, bool in_full = false) {
    const double begin_ns = 1000 + static_cast<double>(index) * kStepNs;
    launch.dispatch_id = index + 1;
    launch.begin_ns = static_cast<std::uint64_t>(begin_ns);
    launch.end_ns = launch.begin_ns + 100;
    ASSERT_TRUE(log.add(launch, begin_ns, in_full));
  }
  std::vector<LaunchProfile> read() const {
    const auto file = read_profile(path_);
    EXPECT_TRUE(file) << file.error().to_text();
    return file ? file->launches : std::vector<LaunchProfile>{};
  }

  static constexpr double kStepNs = 150.5;
  std::string path_;
};

TEST_F(LaunchLogTest, ManyLaunchesOfOneResultTakeAFewLines) {
  LaunchLog log(path_);
  for (std::uint64_t i = 0; i < 10; ++i) add(log, vector_copy(), i);
  ASSERT_TRUE(log.finish());
  const auto of_ten = std::filesystem::file_size(path_);
  for (std::uint64_t i = 10; i < 10000; ++i) add(log, vector_copy(), i);
  ASSERT_TRUE(log.finish());
  EXPECT_LT(std::filesystem::file_size(path_), 2 * of_ten);
  const auto launches = read();
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[1].repeats.count, 9999u);
  EXPECT_EQ(launches[1].begin_ns, 1150u);
  EXPECT_EQ(launches[1].counters.size(), vector_copy().counters.size());
}

TEST_F(LaunchLogTest, WorkgroupsAreKeptOfTheFirstLaunchAlone) {
  LaunchLog log(path_);
  LaunchProfile launch = vector_copy();
  for (std::uint64_t i = 0; i < 3; ++i) {
    launch.cycles += i;
    launch.stays.kept = {{static_cast<std::uint32_t>(i), 0, 0, 100}};
    add(log, launch, i);
  }
  ASSERT_TRUE(log.finish());
  const auto launches = read();
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[0].stays.kept.size(), 1u);
  EXPECT_TRUE(launches[1].stays.kept.empty());
  EXPECT_TRUE(launches[2].stays.kept.empty());
}

TEST_F(LaunchLogTest, OfVeryManyCopiesTheFirstAndTheLastAreWritten) {
  LaunchLog log(path_);
  for (std::uint64_t i = 0; i < LaunchLog::kMostTransfers + 10; ++i) {
    ASSERT_TRUE(log.add({Transfer::Kind::kToDevice, 0, i, 10 * i, 10 * i + 5}));
    ASSERT_FALSE(i < 100 && std::filesystem::exists(path_)) << "nothing was launched";
    if (i == 100) add(log, vector_copy(), 0);
  }
  ASSERT_TRUE(log.finish());
  ASSERT_TRUE(log.finish()) << "once";
  const auto file = read_profile(path_);
  ASSERT_TRUE(file) << file.error().to_text();
  EXPECT_EQ(file->transfers.size(), LaunchLog::kMostTransfers + 1);
  EXPECT_EQ(file->transfers.back().bytes, LaunchLog::kMostTransfers + 9);
  EXPECT_EQ(file->transfers_left_out, 9u);
}

TEST_F(LaunchLogTest, WhichInstanceServedALaunchIsNoOtherResultAndAnythingElseIs) {
  LaunchProfile other = vector_copy();
  ASSERT_FALSE(other.counters.empty());
  other.counters.begin()->second.max += 1;
  EXPECT_EQ(result_number(other), result_number(vector_copy()));
  other.counters.begin()->second.sum += 1;
  EXPECT_NE(result_number(other), result_number(vector_copy()));
  other = vector_copy();
  other.instructions.at(0).hits += 1;
  EXPECT_NE(result_number(other), result_number(vector_copy()));
}

TEST_F(LaunchLogTest, LaunchesOfTheSameCyclesKeepTheirOwnResults) {
  LaunchProfile other = vector_copy();
  other.counters.begin()->second.sum += 7;
  LaunchLog log(path_);
  for (std::uint64_t i = 0; i < 6; ++i) add(log, i < 2 || i > 3 ? vector_copy() : other, i);
  ASSERT_TRUE(log.finish());
  const auto launches = read();
  ASSERT_EQ(launches.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    const LaunchProfile& expected = i < 2 || i > 3 ? vector_copy() : other;
    EXPECT_EQ(launches[i].counters.begin()->second.sum, expected.counters.begin()->second.sum) << i;
  }
}

TEST_F(LaunchLogTest, InFullEveryLaunchHasItsLine) {
  LaunchLog log(path_);
  for (std::uint64_t i = 0; i < 5; ++i) add(log, vector_copy(), i, true);
  ASSERT_TRUE(log.finish());
  for (const LaunchProfile& launch : read()) EXPECT_FALSE(launch.timed_before);
  EXPECT_EQ(read().size(), 5u);
}

/// A launch that no other one has the result of, as different counters differ in it.
LaunchProfile differing(std::uint64_t index) {
  LaunchProfile launch = vector_copy();
  launch.cycles += 7 * index;
  launch.cycles_by_reason[0] += index;
  for (auto& [name, counter] : launch.counters) {
    counter.sum += static_cast<double>(index);
    counter.max += static_cast<double>(index % 5);
  }
  launch.instructions.at(0).hits += static_cast<double>(index);
  launch.arrays = {{"in", 8192, 64.0 * static_cast<double>(index), 0, 32, 0}};
  launch.levels.back().channels = {32, 50 + static_cast<double>(index) / 10, 70, 8, 60};
  launch.levels.back().rows = {1000 + static_cast<double>(index), 1024, 40};
  return launch;
}

TEST_F(LaunchLogTest, AResultAfterTheMostInFullIsMergedAndTheOneBeforeIsNot) {
  constexpr std::uint64_t kMost = LaunchLog::kMostInFull;
  LaunchLog log(path_);
  for (std::uint64_t i = 0; i < kMost; ++i) add(log, differing(i), i);
  ASSERT_TRUE(log.finish());
  EXPECT_EQ(read().size(), kMost);
  for (const LaunchProfile& launch : read()) EXPECT_EQ(launch.merged.timed, 0u);
  for (std::uint64_t i = kMost; i < kMost + 3; ++i) add(log, differing(i), i);
  ASSERT_TRUE(log.finish());
  ASSERT_EQ(read().size(), kMost + 1);
  EXPECT_EQ(read().back().merged.timed, 3u);
  EXPECT_EQ(read().back().merged.launches.size(), 3u);
}

TEST_F(LaunchLogTest, EachMergedLaunchHasItsOwnTimesCyclesAndCounters) {
  constexpr std::uint64_t kLaunches = 1000;
  LaunchLog log(path_);
  for (std::uint64_t i = 0; i < kLaunches; ++i) add(log, differing(i), i);
  ASSERT_TRUE(log.finish());
  std::uint64_t index = 0;
  for_each_launch(read(), [&](const LaunchProfile& launch) {
    const LaunchProfile expected = differing(index);
    EXPECT_EQ(launch.dispatch_id, index + 1);
    EXPECT_EQ(launch.begin_ns, 1000 + index * 301 / 2);
    EXPECT_EQ(launch.end_ns, launch.begin_ns + 100);
    EXPECT_EQ(launch.cycles, expected.cycles);
    ASSERT_EQ(launch.counters.size(), expected.counters.size());
    for (const auto& [name, counter] : expected.counters) {
      EXPECT_EQ(launch.counters.at(name).sum, counter.sum) << name << " of " << index;
      EXPECT_EQ(launch.counters.at(name).max, counter.max) << name << " of " << index;
      EXPECT_EQ(launch.counters.at(name).instances, counter.instances) << name;
    }
    ++index;
  });
  EXPECT_EQ(index, kLaunches);
}

TEST_F(LaunchLogTest, AMergedProfileIsTheAverageOfItsLaunches) {
  constexpr std::uint64_t kMost = LaunchLog::kMostInFull, kMerged = 101;
  LaunchLog log(path_);
  for (std::uint64_t i = 0; i < kMost + kMerged; ++i) add(log, differing(i), i);
  ASSERT_TRUE(log.finish());
  const LaunchProfile average = read().back(), middle = differing(kMost + kMerged / 2);
  EXPECT_EQ(average.merged.timed, kMerged);
  EXPECT_EQ(average.cycles, middle.cycles);
  EXPECT_EQ(average.cycles_by_reason, middle.cycles_by_reason);
  EXPECT_EQ(average.waves, middle.waves);
  EXPECT_EQ(average.end_ns - average.begin_ns, 100u);
  EXPECT_EQ(average.counters.begin()->second.sum, middle.counters.begin()->second.sum);
  ASSERT_EQ(average.instructions.size(), middle.instructions.size());
  EXPECT_EQ(average.instructions[0].hits, middle.instructions[0].hits);
  EXPECT_EQ(average.instructions[1].cycles, middle.instructions[1].cycles);
  EXPECT_EQ(average.levels.at(0).bytes_read, middle.levels.at(0).bytes_read);
  EXPECT_NEAR(average.levels.at(0).busy_percent, middle.levels.at(0).busy_percent, 1e-9);
  EXPECT_NEAR(average.units.at(0).busy_percent, middle.units.at(0).busy_percent, 1e-9);
  const LevelTraffic &far = average.levels.back(), &expected = middle.levels.back();
  // The mean is weighted by cycles, which grow with the launches' numbers.
  EXPECT_NEAR(far.channels.busiest_percent, expected.channels.busiest_percent, 0.5);
  EXPECT_NEAR(far.channels.moment_percent, 70, 1e-9);
  EXPECT_NEAR(far.channels.crowded, 8, 1e-9);
  EXPECT_EQ(far.rows.opened, expected.rows.opened);
  EXPECT_NEAR(far.rows.busy_percent, 40, 1e-9);
  ASSERT_EQ(average.arrays.size(), 1u);
  EXPECT_EQ(average.arrays[0].l2_read, middle.arrays[0].l2_read);
  EXPECT_EQ(average.arrays[0].hbm_read, 32);
}

TEST_F(LaunchLogTest, AThousandMergedLaunchesTakeAFewHundredBytesEach) {
  // Nothing of what the log keeps is large enough to be mapped: all comes from the heap.
  const auto heap_bytes = [] { return mallinfo2().uordblks; };
  const auto file_bytes = [this] { return std::filesystem::file_size(path_); };
  constexpr std::uint64_t kMost = LaunchLog::kMostInFull, kLaunches = 1000;
  LaunchLog log(path_);
  // The sum is written whenever its launches are a power of two: one of 512 is part of both.
  for (std::uint64_t i = 0; i < kMost + kLaunches; ++i) add(log, differing(i), i);
  const auto heap = heap_bytes();
  const auto file = file_bytes();
  for (std::uint64_t i = kMost + kLaunches; i < kMost + 2 * kLaunches; ++i) {
    add(log, differing(i), i);
  }
  const std::size_t counters = vector_copy().counters.size();
  EXPECT_LT(heap_bytes() - heap, kLaunches * 64);
  EXPECT_LT(file_bytes() - file, kLaunches * (100 + 24 * counters));
}

TEST_F(LaunchLogTest, AResultThatWasMergedIsSharedByLaterLaunches) {
  constexpr std::uint64_t kMost = LaunchLog::kMostInFull;
  LaunchLog log(path_);
  for (std::uint64_t i = 0; i <= kMost; ++i) add(log, differing(i), i);
  add(log, differing(kMost), kMost + 1);
  const auto known = log.add(differing(kMost + 1), 30000, false);
  ASSERT_TRUE(known);
  EXPECT_TRUE(LaunchLog::holds(*known));
  ASSERT_TRUE(log.add_repeat(
      *known, {.stream_id = 3, .dispatch_id = 900, .begin_ns = 50000.5, .end_ns = 50100}));
  ASSERT_TRUE(log.finish());
  const LaunchProfile average = read().back();
  EXPECT_EQ(average.merged.timed, 3u) << "the repeat was not simulated";
  EXPECT_EQ(average.merged.counters.size(), 2u);
  ASSERT_EQ(average.merged.launches.size(), 4u);
  const MergedLaunch& repeat = average.merged.launches.back();
  EXPECT_EQ(repeat.dispatch_id, 900u);
  EXPECT_EQ(repeat.stream_id, 3u);
  EXPECT_EQ(repeat.begin_ns, 50000u);
  EXPECT_EQ(repeat.cycles, differing(kMost + 1).cycles);
  EXPECT_EQ(repeat.counters, 1u);
}

TEST_F(LaunchLogTest, AResultIsHeldUntilAnotherOfAsManyCyclesTakesItsPlace) {
  LaunchLog log(path_);
  const auto known = log.add(vector_copy(), 1000, false);
  ASSERT_TRUE(known);
  EXPECT_TRUE(LaunchLog::holds(*known));
  LaunchProfile other = vector_copy();
  other.counters.begin()->second.sum += 7;
  add(log, other, 1);
  EXPECT_FALSE(LaunchLog::holds(*known));
}

TEST_F(LaunchLogTest, ARunThatCrashedLosesNoMergedLaunch) {
  constexpr std::uint64_t kMost = LaunchLog::kMostInFull;
  LaunchLog log(path_);
  for (std::uint64_t i = 0; i < kMost + 7; ++i) add(log, differing(i), i);
  const LaunchProfile average = read().back();
  EXPECT_EQ(average.merged.timed, 4u) << "the last power of two";
  EXPECT_EQ(average.merged.launches.size(), 7u);
}

TEST_F(LaunchLogTest, OtherShapesAndInFullAreMergedApartOrNever) {
  constexpr std::uint64_t kMost = LaunchLog::kMostInFull;
  LaunchLog log(path_);
  for (std::uint64_t i = 0; i <= kMost; ++i) add(log, differing(i), i);
  LaunchProfile other = differing(kMost + 1);
  other.grid_work_items.x *= 2;
  add(log, other, kMost + 1);
  add(log, differing(kMost + 2), kMost + 2, true);
  ASSERT_TRUE(log.finish());
  const auto launches = read();
  ASSERT_EQ(launches.size(), kMost + 3);
  EXPECT_EQ(launches[kMost].merged.timed, 1u);
  EXPECT_EQ(launches[kMost + 1].merged.timed, 0u) << "another grid";
  EXPECT_EQ(launches[kMost + 2].merged.timed, 0u) << "in full";
}

TEST_F(LaunchLogTest, WithoutAFileNothingIsWritten) {
  LaunchLog log("");
  add(log, vector_copy(), 0);
  EXPECT_TRUE(log.finish());
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace wavetank::profile
