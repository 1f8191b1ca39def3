#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "profile/trace_stalls.hpp"
#include "report/diff.hpp"
#include "report/json.hpp"
#include "report/thread_trace.hpp"
#include "target/load_device.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::report {
namespace {

using nlohmann::json;
using profile::LaunchProfile;
using profile::Reason;
using profile::traced_copy;
using testing::HasSubstr;

TEST(Timeline, DrawsWaitsByLetterAndIssuesByI) {
  TextOptions options;
  options.columns = 64;
  const std::string text = timeline_text(traced_copy(), options, 1);
  EXPECT_THAT(text, HasSubstr("workgroup 5 wave 0   XCD 0 SE 1 CU 3 SIMD 0 slot 0   cycles 100 to "
                              "126, 1 a column\n"));
  EXPECT_THAT(text, HasSubstr("\n                                     |100      |110      |120\n"));
  EXPECT_THAT(text, HasSubstr("  s_load_dword s3, s[0:1], 0x24      |IIII\n"));
  EXPECT_THAT(text, HasSubstr("  global_load_dwordx2 v[2:3], v[2:3… |    nnIIII\n"));
  EXPECT_THAT(text,
              HasSubstr("  s_waitcnt vmcnt(0)                 |          mmmmmmmmmmmmIIII\n"));
  EXPECT_THAT(text, HasSubstr("m vector memory")) << "the legend";
  EXPECT_EQ(timeline_text(profile::vector_copy(), options), "");
}

TEST(Timeline, AWaitStandsBehindTheIssueOfItsInstruction) {
  LaunchProfile launch = traced_copy();
  launch.trace.issues[3].issue_cycle = 110;
  TextOptions options;
  options.columns = 64;
  EXPECT_THAT(timeline_text(launch, options, 1),
              HasSubstr("  s_waitcnt vmcnt(0)                 |          IIIImmmmmmmmmmmm\n"));
  const auto stalls = profile::split_stalls(launch.trace);
  EXPECT_EQ(stalls[2].before, 2u) << "other instructions wait before they issue";
  EXPECT_EQ(stalls[3].before, 0u);
  EXPECT_EQ(stalls[3].after, 12u);
}

TEST(Timeline, HostileIndicesAreLeftOut) {
  LaunchProfile launch = traced_copy();
  launch.trace.issues.push_back({7, 0, 1, 1, 50, Reason::kEmpty});
  launch.trace.issues.push_back({0, 99, 1, 1, 50, Reason::kEmpty});
  launch.trace.issues.push_back({0, 0, 1, 0, 50, Reason::kEmpty});
  EXPECT_FALSE(timeline_text(launch, {}).empty());
  EXPECT_FALSE(thread_trace_csv(launch).empty());
  EXPECT_FALSE(perfetto_json({{}, {launch}, false}).empty());
}

TEST(ThreadTraceCsv, SplitsWaitsIntoStallAndIdle) {
  const std::string csv = thread_trace_csv(traced_copy());
  EXPECT_THAT(csv, testing::StartsWith("\"CodeObj\",\"Vaddr\",\"Instruction\",\"Hitcount\","
                                       "\"Latency\",\"Stall\",\"Idle\",\"Source\"\n"
                                       "1,6400,\"; _Z5vcopyPdS_\",0,0,0,0,\"\"\n"));
  EXPECT_THAT(csv,
              HasSubstr(",\"s_load_dword s3, s[0:1], 0x24\",2,8,0,0,\"/src/kernel.hip:12\"\n"));
  EXPECT_THAT(csv, HasSubstr("off\",1,4,0,2,\"")) << "not picked is idle";
  EXPECT_THAT(csv, HasSubstr("vmcnt(0)\",1,16,12,0,\"")) << "waiting is stall";
}

TEST(Perfetto, ShowsQueuesWavesAndCounters) {
  const json trace = json::parse(perfetto_json({{}, {traced_copy()}, false}));
  std::map<std::string, json> by_name;
  std::vector<std::pair<double, int>> waves;
  for (const json& event : trace["traceEvents"]) {
    by_name[event["name"]] = event;
    if (event["name"] == "waves on SIMD 0") waves.emplace_back(event["ts"], event["args"]["value"]);
  }
  EXPECT_DOUBLE_EQ(by_name.at("vcopy(double*, double*)")["ts"], 1.0);
  EXPECT_DOUBLE_EQ(by_name.at("vcopy(double*, double*)")["dur"], 17.0);
  EXPECT_DOUBLE_EQ(by_name.at("workgroup 5 wave 1")["dur"], 0.046);
  EXPECT_EQ(by_name.at("s_waitcnt vmcnt(0)")["args"]["stall_reason"], "wait_vector_memory");
  EXPECT_EQ(by_name.at("workgroups")["args"]["value"], 0) << "none is left at the end";
  EXPECT_THAT(waves, testing::ElementsAre(std::pair(0.1, 1), std::pair(0.14, 0)));
}

TEST(ReportJson, SaysWhatTheScreenSays) {
  const profile::ProfileFile file{{}, {profile::transpose_read_contiguous()}, false};
  const target::Device device = *target::load_device("mi210");
  const auto groups = group_launches(file.launches);
  const profile::Verdict verdict = profile::judge(file.launches[0], device);
  const json kernel = json::parse(report_json(file, {{groups[0], verdict, device}}))["kernels"][0];
  EXPECT_EQ(kernel["verdict"]["bound"], "memory-bound");
  EXPECT_EQ(kernel["findings"][0]["id"], "uncoalesced");
  EXPECT_EQ(kernel["hot_lines"][0]["reason"], "memory_queue_full");
  EXPECT_EQ(kernel["metrics"]["VALUInsts"]["no_value"], "SQ_INSTS_VALU is not counted");
  double sum = 0;
  for (const json& share : kernel["stall_stack"]) sum += share["percent"].get<double>();
  EXPECT_NEAR(sum, 100, 1e-9);
}

TEST(Diff, DifferencesOfReasonsSumToThatOfTheCycles) {
  const target::Device device = *target::load_device("mi210");
  const LaunchProfile before = profile::transpose_read_contiguous();
  LaunchProfile after = before;
  auto& queue = after.cycles_by_reason[static_cast<std::size_t>(Reason::kMemoryQueueFull)];
  const std::uint64_t saved = after.wave_slots * 3000000;
  queue -= saved;
  after.cycles -= 3000000;
  EXPECT_EQ(kernel_diff(before, after, device, device, {}),
            "transpose(double*, double*)\n"
            "  7 480 000 → 4 480 000 cycles   4.400 ms → 2.635 ms   1.67× faster\n"
            "  bound by the vector memory unit, as before\n"
            "\n"
            "  Cycles of the average wave slot\n"
            "  vector memory pipeline full          3 906 250 → 906 250       -3 000 000\n"
            "  everything else                      3 573 750 → 3 573 750             +0\n");
}

TEST(Diff, WhereAllReasonsAreShownNothingElseIs) {
  const target::Device device = *target::load_device("mi210");
  LaunchProfile before = profile::transpose_read_contiguous();
  before.cycles_by_reason = {};
  before.launch_cycles = 0;
  LaunchProfile after = before;
  before.cycles_by_reason[static_cast<std::size_t>(Reason::kNotPicked)] = before.wave_slots * 100;
  after.cycles_by_reason[static_cast<std::size_t>(Reason::kWaitLds)] = before.wave_slots * 50;
  EXPECT_THAT(kernel_diff(before, after, device, device, {}),
              testing::Not(HasSubstr("everything else")));
}

TEST(Diff, AChangeWithinTheUncertaintySaysSo) {
  const target::Device device = *target::load_device("mi210");
  const LaunchProfile before = profile::transpose_read_contiguous();
  LaunchProfile after = before;
  after.cycles = after.cycles * 1027 / 1000;
  EXPECT_THAT(kernel_diff(before, after, device, device, {}), HasSubstr("within the uncertainty"));
  after.cycles = before.cycles * 1030 / 1000;
  EXPECT_THAT(kernel_diff(before, after, device, device, {}),
              testing::Not(HasSubstr("within the uncertainty")));
}

TEST(Diff, WhatBoundsAKernelIsNamedWhereItIsAnother) {
  const target::Device device = *target::load_device("mi210");
  const LaunchProfile before = profile::vector_copy();
  LaunchProfile after = before;
  after.units.push_back({std::string(profile::kDispatcher), 95});
  EXPECT_THAT(kernel_diff(before, after, device, device, {}),
              HasSubstr("  bound by HBM bandwidth → the dispatcher's rate\n"));
}

TEST(Diff, CountersThatChangedAreShownWithTheirRatio) {
  const target::Device device = *target::load_device("mi210");
  const LaunchProfile before = profile::vector_copy();
  LaunchProfile after = before;
  after.counters["TCC_EA_RDREQ"].sum *= 2;
  const std::string text = kernel_diff(before, after, device, device, {});
  EXPECT_THAT(text, HasSubstr("FETCH_SIZE"));
  EXPECT_THAT(text, HasSubstr("× 2.00 KiB"));
  EXPECT_THAT(text, testing::Not(HasSubstr("WRITE_SIZE")));
}

TEST(Diff, KernelsPairByNameThenByOrder) {
  const std::vector<LaunchProfile> before = {profile::vector_copy(),
                                             profile::transpose_read_contiguous()};
  LaunchProfile renamed = profile::vector_copy();
  renamed.mangled_name = renamed.kernel_name = "vcopy2";
  const std::vector<LaunchProfile> after = {profile::transpose_read_contiguous(), renamed};
  const auto pairs = pair_kernels(before, group_launches(before), after, group_launches(after));
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].before, 1u);
  EXPECT_EQ(pairs[0].after, 0u);
  EXPECT_EQ(pairs[1].before, 0u);
  EXPECT_EQ(pairs[1].after, 1u);
}

}  // namespace
}  // namespace wavetank::report
