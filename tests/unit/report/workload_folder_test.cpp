#include "report/workload_folder.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "target/load_device.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::report {
namespace {

/// A table's cells, by row and column. No cell here has a comma.
std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line + ",");
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

class WorkloadFolderTest : public testing::Test {
 protected:
  WorkloadFolderTest() {
    file_.header.command = {"./bin/app", "1"};
    file_.launches = {profile::vector_copy(), profile::vector_copy()};
    for (profile::LaunchProfile& launch : file_.launches) {
      launch.kernel_name = "copy";
      launch.counters = {{"SQ_WAVES", {64, 16, 8}},
                         {"TCC_HIT", {1000.5, 40, 32}},
                         {"SQ_LEVEL_WAVES", {12345, 2000, 8}}};
    }
    files_ = workload_folder(file_, *target::load_device("mi210"));
  }
  /// What a table says of a launch.
  std::string at(const std::string& file, std::size_t launch, const std::string& column) const {
    const auto rows = cells_of(files_.at(file));
    const auto found = std::ranges::find(rows.front(), column);
    if (found == rows.front().end()) return "no column";
    return rows.at(launch + 1).at(static_cast<std::size_t>(found - rows.front().begin()));
  }

  profile::ProfileFile file_;
  std::map<std::string, std::string> files_;
};

TEST_F(WorkloadFolderTest, EachLaunchIsARowWithItsCounters) {
  EXPECT_EQ(cells_of(files_.at("pmc_perf.csv")).size(), 3u);
  EXPECT_EQ(at("pmc_perf.csv", 1, "Dispatch_ID"), "1");
  EXPECT_EQ(at("pmc_perf.csv", 1, "Kernel_Name"), "\"copy\"");
  EXPECT_EQ(at("pmc_perf.csv", 0, "SQ_WAVES"), "64");
}

TEST_F(WorkloadFolderTest, OfBlocksWithManyInstancesTheSumIsNamed) {
  EXPECT_EQ(at("pmc_perf.csv", 0, "TCC_HIT_sum"), "1000.5");
  EXPECT_EQ(at("pmc_perf.csv", 0, "TCC_HIT"), "no column");
}

TEST_F(WorkloadFolderTest, TheSumOfALevelHasAFileOfItsOwn) {
  EXPECT_EQ(at("SQ_LEVEL_WAVES.csv", 0, "SQ_ACCUM_PREV_HIRES"), "12345");
  EXPECT_EQ(at("SQ_IFETCH_LEVEL.csv", 0, "SQ_ACCUM_PREV_HIRES"), "") << "not counted";
  EXPECT_EQ(at("pmc_perf.csv", 0, "SQ_ACCUM_PREV_HIRES"), "no column");
}

TEST_F(WorkloadFolderTest, TheDeviceIsTheOneOfTheDescription) {
  EXPECT_EQ(at("sysinfo.csv", 0, "workload_name"), "\"app\"");
  EXPECT_EQ(at("sysinfo.csv", 0, "gpu_arch"), "\"gfx90a\"");
  EXPECT_EQ(at("sysinfo.csv", 0, "cu_per_gpu"), "\"104\"");
  EXPECT_EQ(at("sysinfo.csv", 0, "total_l2_chan"), "\"32\"");
  EXPECT_EQ(at("sysinfo.csv", 0, "sqc_per_gpu"), "\"56\"");
}

TEST_F(WorkloadFolderTest, OfADeviceWithoutLaunchesThereIsNone) {
  EXPECT_TRUE(workload_folder(file_, *target::load_device("mi300x")).empty());
}

}  // namespace
}  // namespace wavetank::report
