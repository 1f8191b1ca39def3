#include "report/viewer_folder.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "unit/profile/sample_launches.hpp"

namespace wavetank::report {
namespace {

using nlohmann::json;
using profile::LaunchProfile;
using profile::Reason;

/// Two waves on one slot after each other; the first one's s_waitcnt is issued in cycle 110 and
/// waits 12 cycles.
LaunchProfile traced() {
  LaunchProfile launch = profile::traced_copy();
  launch.trace.waves[1] = {0, 1, 3, 0, 0, 5, 1, 150, 190};
  launch.trace.issues = {{0, 0, 100, 4, 0, Reason::kNotPicked},
                         {0, 1, 106, 4, 2, Reason::kMemoryQueueFull},
                         {0, 2, 110, 4, 12, Reason::kWaitVectorMemory}};
  return launch;
}

class ViewerFolderTest : public testing::Test {
 protected:
  json file(const std::string& name) const { return json::parse(files_.at(name)); }

  const LaunchProfile launch_ = traced();
  const std::map<std::string, std::string> files_ =
      viewer_folder(launch_, {{"/src/kernel.hip", "text"}});
};

TEST_F(ViewerFolderTest, NamesTheFileOfEachWaveByItsPlace) {
  const json names = file("filenames.json");
  EXPECT_EQ(names["gfxip"], 9);
  const json& slot = names["wave_filenames"]["1"]["0"]["0"];
  EXPECT_EQ(slot["0"], json::array({"se1_sm0_sl0_wv0.json", 100, 140}));
  EXPECT_EQ(slot["1"], json::array({"se1_sm0_sl0_wv1.json", 150, 190}));
}

TEST_F(ViewerFolderTest, AnInstructionBeginsWithItsStallAndLastsUntilItsWaitIsOver) {
  const json instructions = file("se1_sm0_sl0_wv0.json")["wave"]["instructions"];
  const auto times = [&](std::size_t at) {
    const json& one = instructions[at];
    return std::vector<int>{one[0], one[2], one[3], one[4]};
  };
  EXPECT_EQ(times(0), (std::vector<int>{100, 0, 4, 1})) << "begin, stall, duration, line";
  EXPECT_EQ(times(1), (std::vector<int>{104, 2, 6, 2}));
  EXPECT_EQ(times(2), (std::vector<int>{110, 12, 16, 3}));
}

TEST_F(ViewerFolderTest, TheStatesOfAWaveTileItsStay) {
  const json timeline = file("se1_sm0_sl0_wv0.json")["wave"]["timeline"];
  int sum = 0;
  for (const json& state : timeline) sum += state[1].get<int>();
  EXPECT_EQ(sum, 40);
  EXPECT_EQ(timeline[0], json::array({2, 4})) << "it executes";
  EXPECT_EQ(timeline[1], json::array({4, 2})) << "the unit is busy";
}

TEST_F(ViewerFolderTest, TheCodeHasARowForTheKernelAndForEachInstruction) {
  const json code = file("code.json")["code"];
  ASSERT_EQ(code.size(), launch_.instructions.size() + 1);
  EXPECT_EQ(code[0][0], "; " + launch_.mangled_name);
  EXPECT_EQ(code[3][2], 3) << "lines are those that waves refer to";
  EXPECT_EQ(code[3][3], "/src/kernel.hip:" + std::to_string(launch_.instructions[2].line));
  EXPECT_EQ(code[3][6], 1) << "hits";
  EXPECT_EQ(code[3][7], 16) << "latency";
  EXPECT_EQ(code[3][8], 12) << "stall";
}

TEST_F(ViewerFolderTest, OccupancyIsBeginsAndEndsInOrder) {
  const json occupancy = file("occupancy.json");
  EXPECT_EQ(occupancy["1"][0], json::array({100, 3, 0, 0, 1, 1}));
  EXPECT_EQ(occupancy["1"][1], json::array({140, 3, 0, 0, 0, 1}));
  EXPECT_EQ(occupancy["dispatches"]["1"], launch_.kernel_name);
}

TEST_F(ViewerFolderTest, SourcesStandInATreeOfFolders) {
  EXPECT_EQ(file("snapshots.json")["/"]["src"]["kernel.hip"], "source_0_kernel.hip");
  EXPECT_EQ(files_.at("source_0_kernel.hip"), "text");
}

TEST(ViewerFolder, ALaunchWithoutATraceHasNone) {
  EXPECT_TRUE(viewer_folder(profile::vector_copy(), {}).empty());
}

TEST(ViewerFolder, HostileIndicesAreLeftOut) {
  LaunchProfile launch = traced();
  launch.trace.issues.push_back({7, 0, 1, 1, 50, Reason::kEmpty});
  launch.trace.issues.push_back({0, 99, 1, 1, 50, Reason::kEmpty});
  EXPECT_FALSE(viewer_folder(launch, {}).empty());
}

}  // namespace
}  // namespace wavetank::report
