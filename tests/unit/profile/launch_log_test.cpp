#include "profile/launch_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

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

TEST_F(LaunchLogTest, WithoutAFileNothingIsWritten) {
  LaunchLog log("");
  add(log, vector_copy(), 0);
  EXPECT_TRUE(log.finish());
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace wavetank::profile
