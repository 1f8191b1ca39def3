#include "report/rocprof.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "target/load_device.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A run of two kernels on two devices.
class RocprofTest : public testing::Test {
 protected:
  RocprofTest() {
    file_.header.process_id = 77;
    file_.header.command = {"./app", "1"};
    file_.launches = {profile::vector_copy(), profile::compute_bound()};
    file_.launches[1].dispatch_id = 2;
    for (const char* name : {"mi210", "mi300x"}) devices_[name] = *target::load_device(name);
  }

  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }

  profile::ProfileFile file_;
  std::map<std::string, target::Device> devices_;
  RocprofRun run_{file_, devices_, {}};
};

TEST_F(RocprofTest, TheKernelTraceHasRocprofsColumns) {
  EXPECT_THAT(
      lines(kernel_trace_csv(run_)),
      ElementsAre(
          R"_("Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id",)_"
          R"_("Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size",)_"
          R"_("Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X",)_"
          R"_("Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z")_",
          R"_("KERNEL_DISPATCH","Agent 1",1,0,77,1,1,"vcopy(double*, double*)",1,1000,18000,)_"
          R"_(0,0,8,0,16,256,1,1,1048576,1,1)_",
          R"_("KERNEL_DISPATCH","Agent 2",1,0,77,2,2,"fma_chain(double*, double*)",2,0,100000,)_"
          R"_(0,0,8,0,16,256,1,1,622592,1,1)_"));
}

TEST_F(RocprofTest, EachOfTheRepeatsOfALaunchHasARowAndCountsAsACall) {
  profile::LaunchProfile& launch = file_.launches[0];
  launch.timed_before = true;
  launch.repeats = {
      .count = 3, .dispatch_step = 2, .first_ns = 1000, .step_ns = 20000, .process_id = 77};
  const auto rows = lines(kernel_trace_csv(run_));
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_THAT(rows[3], HasSubstr(",5,1,\"vcopy(double*, double*)\",5,41000,58000,"));
  EXPECT_THAT(kernel_stats_csv(run_), HasSubstr("\"vcopy(double*, double*)\",3,51000,17000."));
}

TEST_F(RocprofTest, CountersAreOneRowEachWithSixDecimals) {
  run_.counters = {"SQ_WAVES", "VALUInsts", "TCC_EA_RDREQ_32B", "LdsUtil"};
  const auto rows = lines(counter_collection_csv(run_));
  ASSERT_EQ(rows.size(), 4u) << "what was not counted has no row";
  EXPECT_EQ(rows[0],
            R"_("Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id",)_"
            R"_("Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size",)_"
            R"_("Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name",)_"
            R"_("Counter_Value","Start_Timestamp","End_Timestamp")_");
  EXPECT_EQ(rows[1],
            R"_(1,1,"Agent 1",1,77,77,1048576,1,"vcopy(double*, double*)",256,0,0,8,0,16,)_"
            R"_("SQ_WAVES",16384.000000,1000,18000)_");
  EXPECT_THAT(rows[2], HasSubstr(R"_("VALUInsts",10.000000,)_"));
  EXPECT_THAT(rows[3], HasSubstr(R"_("TCC_EA_RDREQ_32B",0.00000000e+00,)_"));
}

TEST(Rocprof, ATruncatedNameHasNoScopeParametersAndTypes) {
  EXPECT_EQ(truncated_name("Foo<int, float>::foo(a[], int (int))"), "foo");
  EXPECT_EQ(truncated_name("void a::tiled<1>(double const*, int)"), "tiled");
  EXPECT_EQ(truncated_name("f(int (*) [4])"), "f");
  EXPECT_EQ(truncated_name("copy"), "copy");
  EXPECT_EQ(truncated_name("(int)"), "");
  EXPECT_EQ(truncated_name(""), "");
}

TEST_F(RocprofTest, QuotesInNamesAreDoubled) {
  file_.launches[0].kernel_name = "k<\"a\">()";
  EXPECT_THAT(kernel_trace_csv(run_), HasSubstr(R"_("k<""a"">()")_"));
}

TEST_F(RocprofTest, StatisticsSumToOneHundredPercent) {
  file_.launches.push_back(profile::vector_copy());
  file_.launches[2].end_ns = 22000;
  EXPECT_THAT(lines(kernel_stats_csv(run_)),
              ElementsAre(R"_("Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs",)_"
                          R"_("MaxNs","StdDev")_",
                          R"_("fma_chain(double*, double*)",1,100000,100000.000000,72.46,100000,)_"
                          R"_(100000,0.000000)_",
                          R"_("vcopy(double*, double*)",2,38000,19000.000000,27.54,17000,21000,)_"
                          R"_(2828.427125)_"));
}

TEST_F(RocprofTest, AgentsAreTheHostAndTheDevices) {
  const auto rows = lines(agent_info_csv(run_));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(std::count(rows[0].begin(), rows[0].end(), ',') + 1, 53);
  for (const std::string& row : rows) {
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), 52) << row;
  }
  EXPECT_THAT(rows[1], HasSubstr("0,0,\"CPU\""));
  EXPECT_THAT(rows[2], HasSubstr("1,1,\"GPU\",0,416,0,0,8,64,0,0,64,1,104,8,8,1,13,4,32,90010"));
  EXPECT_THAT(rows[3], HasSubstr("2,2,\"GPU\",0,1216,"));
}

TEST_F(RocprofTest, TheJsonHoldsDispatchesAndCounters) {
  run_.counters = {"SQ_WAVES"};
  const auto json = nlohmann::json::parse(results_json(run_))["rocprofiler-sdk-tool"][0];
  const auto& dispatch = json["buffer_records"]["kernel_dispatch"][0];
  EXPECT_EQ(dispatch["start_timestamp"], 1000);
  EXPECT_EQ(dispatch["dispatch_info"]["grid_size"]["x"], 1048576);
  EXPECT_EQ(json["kernel_symbols"][1]["formatted_kernel_name"], "fma_chain(double*, double*)");
  const auto& record = json["callback_records"]["counter_collection"][0]["records"][0];
  EXPECT_EQ(record["value"], 16384);
  EXPECT_EQ(json["counters"][0]["name"], "SQ_WAVES");
  EXPECT_EQ(record["counter_id"]["handle"], json["counters"][0]["id"]["handle"]);
  EXPECT_EQ(json["agents"].size(), 3u);
}

TEST_F(RocprofTest, TheDatabaseAnswersRocpdsQueries) {
  const std::string path = testing::TempDir() + "/rocpd_" + std::to_string(getpid()) + ".db";
  ASSERT_TRUE(write_rocpd(run_, path));
  ASSERT_TRUE(write_rocpd(run_, path)) << "an old file is replaced";
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  const auto first = [&](const char* sql) {
    std::string answer;
    sqlite3_exec(
        db, sql,
        [](void* to, int columns, char** values, char**) {
          auto& text = *static_cast<std::string*>(to);
          for (int c = 0; c < columns; ++c) text += std::string(values[c]) + "|";
          return 0;
        },
        &answer, nullptr);
    return answer;
  };
  EXPECT_EQ(first("SELECT name, duration, grid_x, agent_abs_index FROM kernels ORDER BY id"),
            "vcopy(double*, double*)|17000|1048576|1|fma_chain(double*, double*)|100000|622592|2|");
  EXPECT_EQ(first("SELECT counter_value FROM pmc_events WHERE counter_name = 'SQ_WAVES'"),
            "16384.0|");
  EXPECT_EQ(first("SELECT COUNT(*) FROM rocpd_kernel_dispatch"), "2|");
  sqlite3_close(db);
  std::filesystem::remove(path);
  EXPECT_FALSE(write_rocpd(run_, "/nowhere/at/all.db"));
}

}  // namespace
}  // namespace wavetank::report
