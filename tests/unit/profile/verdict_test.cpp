#include "profile/verdict.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "isa/catalogue.hpp"
#include "profile/advice.hpp"
#include "target/load_device.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::profile {
namespace {

using testing::HasSubstr;

Verdict verdict_of(const LaunchProfile& launch) {
  return judge(launch, *target::load_device(launch.device));
}

std::uint64_t& cycles(LaunchProfile& launch, Reason reason) {
  return launch.cycles_by_reason[static_cast<std::size_t>(reason)];
}

const Finding* finding(const Verdict& verdict, std::string_view id) {
  for (const Finding& f : verdict.findings) {
    if (f.id == id) return &f;
  }
  return nullptr;
}

TEST(Advice, OfChangesThatNobodyAskedForStaysWithoutAGain) {
  LaunchProfile launch = transpose_read_contiguous();
  const target::Device device = *target::load_device(launch.device);
  const std::vector<Finding> all = judge(launch, device).findings;
  const auto has = [&](std::string_view id) {
    const auto left = advise(all, launch);
    return std::ranges::find(left, id, &Finding::id) != left.end();
  };
  ASSERT_TRUE(has("uncoalesced"));
  launch.what_if = {{"hbm.latency=1.1x", launch.cycles, ""}};
  EXPECT_TRUE(has("uncoalesced"));
  launch.what_if.push_back({"all", launch.cycles / 2, ""});
  EXPECT_FALSE(has("uncoalesced")) << "it was not worth asking";
  launch.what_if.push_back({"coalescing=perfect", launch.cycles / 2, ""});
  EXPECT_TRUE(has("uncoalesced"));
}

TEST(Verdict, ACopyIsBoundByMemoryBandwidth) {
  const Verdict v = verdict_of(vector_copy());
  EXPECT_EQ(v.limit.bound, Bound::kMemory);
  EXPECT_EQ(v.limit.what, "HBM bandwidth");
  EXPECT_THAT(v.limit.because, HasSubstr("90 %"));
  EXPECT_NEAR(v.milliseconds, 0.017, 1e-9);
  EXPECT_EQ(v.roofline.region, Region::kBandwidthBound);
}

TEST(Verdict, ATransposeThatWritesColumnsIsToldWhichStoresAreUncoalesced) {
  const Verdict v = verdict_of(transpose_read_contiguous());
  EXPECT_EQ(v.limit.bound, Bound::kMemory);
  EXPECT_EQ(v.limit.what, "the vector memory unit");
  const Finding* uncoalesced = finding(v, "uncoalesced");
  ASSERT_NE(uncoalesced, nullptr);
  EXPECT_EQ(uncoalesced->place, "kernel.hip:23");
  EXPECT_EQ(uncoalesced->text, "uncoalesced stores: 64 cache lines for each wave where 8 would do");
  EXPECT_EQ(v.hot_lines.at(0).line, 23u);
  EXPECT_EQ(v.hot_lines.at(0).reason, Reason::kMemoryQueueFull);
}

TEST(Verdict, AChainOfFmasIsBoundByTheValu) {
  const Verdict v = verdict_of(compute_bound());
  EXPECT_EQ(v.limit.bound, Bound::kCompute);
  EXPECT_EQ(v.limit.what, "the VALU");
}

TEST(Verdict, ALoopWithBarriersIsBoundBySynchronisation) {
  const Verdict v = verdict_of(barrier_loop());
  EXPECT_EQ(v.limit.bound, Bound::kSynchronisation);
  EXPECT_EQ(v.limit.what, "barriers");
  EXPECT_NE(finding(v, "wait-barrier"), nullptr);
  EXPECT_EQ(finding(v, "tail-effect"), nullptr) << "a grid of one round has no last round";
}

TEST(Verdict, AnEmptyKernelIsBoundByItsLaunch) {
  const Verdict v = verdict_of(empty_kernel());
  EXPECT_EQ(v.limit.bound, Bound::kLaunch);
  EXPECT_EQ(v.limit.what, "launch overhead");
  EXPECT_EQ(finding(v, "small-grid")->text, "1 workgroup for 104 CUs");
}

TEST(Verdict, OverheadAroundAKernelCountsWhereItsCyclesBeginWithTheFirstWorkgroup) {
  LaunchProfile launch = vector_copy();
  launch.launch_cycles = 0;
  launch.units.clear();
  launch.levels.clear();
  target::Device device = *target::load_device("mi210");
  device.parameters["launch.start_latency"].value = 1000;
  device.parameters["launch.end_latency"].value = 650;
  launch.cycles = 2805;  // 1650 ns at 1.7 GHz: as long as the overhead
  EXPECT_EQ(judge(launch, device).limit.bound, Bound::kLaunch);
  launch.cycles = 2806;
  EXPECT_EQ(judge(launch, device).limit.bound, Bound::kLatency);
}

TEST(Verdict, WavesThatWorkMostOfTheirTimeInFewSlotsAreTooFew) {
  LaunchProfile launch = vector_copy();
  launch.launch_cycles = 0;
  launch.units.clear();
  launch.levels.clear();
  const auto what = [&](std::uint64_t working, std::uint64_t waiting, std::uint64_t empty) {
    launch.cycles_by_reason = {};
    cycles(launch, Reason::kIssueValu) = working - working / 2;
    cycles(launch, Reason::kNotPicked) = working / 2;
    cycles(launch, Reason::kWaitFetch) = waiting;
    cycles(launch, Reason::kEmpty) = empty;
    return verdict_of(launch).limit.what;
  };
  EXPECT_EQ(what(500, 500, 1000), "too few waves");
  EXPECT_EQ(what(500, 500, 999), "instruction fetch") << "half of the slots have waves";
  EXPECT_EQ(what(499, 501, 1000), "instruction fetch") << "they wait more than they work";
  what(500, 500, 3000);
  EXPECT_EQ(verdict_of(launch).limit.because,
            "They issue or are ready to for 50 % of their cycles; 75 % of the slots are empty.");
}

TEST(Verdict, AUnitBoundsFromSixtyPercentOn) {
  LaunchProfile launch = vector_copy();
  launch.launch_cycles = 0;
  for (const double busy : {59.9, 60.0}) {
    launch.levels.back().busy_percent = busy;
    launch.levels.back().bytes_read = 0;
    EXPECT_EQ(verdict_of(launch).limit.bound, busy < 60 ? Bound::kLatency : Bound::kMemory);
  }
}

/// What the last level could move in the launch.
double possible_bytes(const LaunchProfile& launch) {
  return launch.levels.back().peak_bytes_per_cycle * static_cast<double>(launch.cycles);
}

TEST(Verdict, ALevelThatMovesLessThanHalfOfWhatItCouldIsBoundByItsRequests) {
  LaunchProfile launch = vector_copy();
  launch.levels.back().busy_percent = 80;
  launch.levels.back().bytes_written = 0;
  launch.levels.back().bytes_read = 0.39 * possible_bytes(launch);
  EXPECT_EQ(verdict_of(launch).limit.what, "the HBM's request rate");
  launch.levels.back().bytes_read = 0.41 * possible_bytes(launch);
  EXPECT_EQ(verdict_of(launch).limit.what, "HBM bandwidth");
}

TEST(Verdict, AnLdsThatMovesLittleWhileItIsBusyIsBoundByItsBanks) {
  LaunchProfile launch = barrier_loop();
  launch.levels[0].busy_percent = 75;
  const double possible =
      launch.levels[0].peak_bytes_per_cycle * static_cast<double>(launch.cycles);
  launch.levels[0].bytes_written = 0;
  launch.levels[0].bytes_read = 0.37 * possible;
  const Limit limit = verdict_of(launch).limit;
  EXPECT_EQ(limit.bound, Bound::kMemory);
  EXPECT_EQ(limit.what, "the banks of the LDS");
  EXPECT_EQ(limit.resource, "LDS");
  launch.levels[0].bytes_read = 0.38 * possible;
  EXPECT_EQ(verdict_of(launch).limit.what, "LDS bandwidth");
}

TEST(Verdict, AFarLevelThatIsAsBusyExplainsThatNearOnesAre) {
  LaunchProfile launch = vector_copy();
  launch.levels.back().bytes_written = 0;
  launch.levels.back().bytes_read = 0.6 * possible_bytes(launch);
  for (const double hbm : {84.0, 85.0}) {
    launch.units = {{"vector memory", 89}};
    launch.levels.back().busy_percent = hbm;
    EXPECT_EQ(verdict_of(launch).limit.what,
              hbm < 84.55 ? "the vector memory unit" : "HBM bandwidth");
  }
}

TEST(Verdict, NamesTheScalarUnit) {
  LaunchProfile launch = vector_copy();
  launch.levels.clear();
  launch.units = {{std::string(kScalar), 80}};
  const Limit limit = verdict_of(launch).limit;
  EXPECT_EQ(limit.what, "the scalar unit");
  EXPECT_EQ(limit.bound, Bound::kCompute);
}

TEST(Verdict, WithoutABusyUnitTheLongestWaitIsNamed) {
  LaunchProfile launch = vector_copy();
  launch.units.clear();
  launch.levels.clear();
  EXPECT_EQ(verdict_of(launch).limit.what, "the latency of vector memory");
  cycles(launch, Reason::kWaitMatrix) = 66000000;
  EXPECT_EQ(verdict_of(launch).limit.what, "dependent matrix instructions");
}

TEST(Verdict, LdsOfAWholeCuLeavesOneWorkgroup) {
  LaunchProfile launch = vector_copy();
  launch.workgroup_work_items = {128, 1, 1};
  launch.lds_bytes = 65536;
  launch.occupancy = {1, 8, "LDS", 1.9};
  launch.levels.back().busy_percent = 20;
  launch.levels.back().bytes_read = 0;
  const Verdict v = verdict_of(launch);
  EXPECT_EQ(v.occupancy.waves_per_cu, 2u);
  EXPECT_EQ(v.occupancy.max_waves_per_cu, 32u);
  EXPECT_EQ(v.occupancy.limited_by, "LDS");
  EXPECT_EQ(
      finding(v, "occupancy")->text,
      "occupancy: at most 2 of 32 waves fit on a CU, limited by LDS (65536 bytes a workgroup)");
}

TEST(Verdict, FloatsThatAreWidenedAreFound) {
  LaunchProfile launch = vector_copy();
  InstructionProfile i = launch.instructions[0];
  i.line = 7;
  for (const char* name : {"v_cvt_f64_f32", "v_mul_f64", "v_add_f32"}) {
    i.row = isa::find_row(name);
    launch.instructions.push_back(i);
  }
  const Verdict v = verdict_of(launch);
  ASSERT_NE(finding(v, "double-precision"), nullptr);
  EXPECT_EQ(finding(v, "double-precision")->place, "kernel.hip:7");
  EXPECT_THAT(finding(v, "double-precision")->text, HasSubstr("67 %"));
}

TEST(Verdict, BufferAccessesAreSpillsWhereTheyReachPrivateMemory) {
  LaunchProfile launch = vector_copy();
  InstructionProfile& load = launch.instructions[1];
  load.row = isa::find_row("buffer_load_dword");
  EXPECT_EQ(finding(verdict_of(launch), "spill"), nullptr);
  load.private_accesses = load.hits;
  const Verdict v = verdict_of(launch);
  ASSERT_NE(finding(v, "spill"), nullptr);
  EXPECT_EQ(finding(v, "spill")->weight, 50) << "the store is not one";
}

TEST(Explain, EveryBoundRuleAndReasonHasAPage) {
  const std::filesystem::path pages(WAVETANK_EXPLAIN_PAGES);
  const auto exists = [&](std::string_view id) {
    return std::filesystem::exists(pages / (std::string(id) + ".md"));
  };
  for (const Bound bound : {Bound::kCompute, Bound::kMemory, Bound::kLatency,
                            Bound::kSynchronisation, Bound::kLaunch}) {
    EXPECT_TRUE(exists(explain_page_of(bound))) << explain_page_of(bound);
  }
  for (const FindingRule& rule : finding_rules()) EXPECT_TRUE(exists(rule.id)) << rule.id;
  for (std::size_t r = 0; r < kReasonCount; ++r) {
    const std::string page = explain_page_of(static_cast<Reason>(r));
    EXPECT_TRUE(exists(page)) << page;
  }
}

TEST(StallStack, RoundedSharesSumToOneHundredPercent) {
  ReasonCycles thirds = {};
  thirds[0] = thirds[5] = thirds[17] = 1;
  unsigned sum = 0;
  for (const StallShare& share : stall_stack(thirds)) sum += share.permille;
  EXPECT_EQ(sum, 1000u);
  for (const LaunchProfile& launch : {vector_copy(), transpose_read_contiguous(), barrier_loop()}) {
    sum = 0;
    unsigned of_waves = 0;
    for (const StallShare& share : stall_stack(launch.cycles_by_reason)) {
      sum += share.permille;
      of_waves += share.permille_of_waves;
    }
    EXPECT_EQ(sum, 1000u);
    EXPECT_EQ(of_waves, 1000u);
  }
  EXPECT_TRUE(stall_stack({}).empty());
}

TEST(StallStack, SharesOfWavesLeaveEmptySlotsOut) {
  ReasonCycles cycles = {};
  cycles[static_cast<std::size_t>(Reason::kWaitVectorMemory)] = 3;
  cycles[static_cast<std::size_t>(Reason::kIssueValu)] = 1;
  cycles[static_cast<std::size_t>(Reason::kEmpty)] = 996;
  const std::vector<StallShare> stack = stall_stack(cycles);
  ASSERT_EQ(stack.size(), 3u);
  EXPECT_EQ(stack[0].permille_of_waves, 250u);
  EXPECT_EQ(stack[1].permille_of_waves, 750u);
  EXPECT_EQ(stack[2].permille, 996u);
  EXPECT_EQ(stack[2].permille_of_waves, 0u);
}

TEST(HotLines, InstructionsWithoutALineStandForThemselves) {
  LaunchProfile launch = vector_copy();
  for (InstructionProfile& i : launch.instructions) i.line = 0;
  const auto lines = hot_lines(launch);
  ASSERT_EQ(lines.size(), 2u) << "the others are below one percent";
  EXPECT_EQ(place_of(launch.instructions[lines[0].instruction]), "+ 0x10");
  EXPECT_NEAR(lines[0].percent, 100 * 65000000.0 / 70441792, 1e-9);
}

TEST(HotLines, AFunctionThatStandsBeforeItsKernelHasANegativePlace) {
  InstructionProfile instruction;
  instruction.offset = 0 - std::uint64_t{0x14};
  EXPECT_EQ(place_of(instruction), "- 0x14");
}

TEST(Roofline, TheRidgeOfEveryLevelIsPeakOverBandwidth) {
  LaunchProfile launch = vector_copy();
  launch.operations.f64 = 1e6;
  const Roofline roof = verdict_of(launch).roofline;
  ASSERT_EQ(roof.levels.size(), 3u) << "the LDS has no traffic";
  EXPECT_EQ(roof.peak_name, "FP64 vector");
  EXPECT_DOUBLE_EQ(roof.peak_flop_per_second, 104 * 128 * 1.7e9);
  EXPECT_EQ(roof.levels.back().name, "HBM");
  EXPECT_NEAR(roof.levels.back().ridge, 104 * 128 / 963.76, 1e-9);
  EXPECT_NEAR(roof.levels.back().intensity, 1e6 / 16777216, 1e-12);
}

TEST(Roofline, TheFiveRegions) {
  LaunchProfile launch = vector_copy();
  launch.launch_cycles = 0;
  launch.cycles = 1000;
  launch.operations = {};
  LevelTraffic& hbm = launch.levels.back();
  launch.levels = {hbm};
  const auto region = [&](double bandwidth_share, double compute_share) {
    launch.levels[0].bytes_read = bandwidth_share * 1000 * launch.levels[0].peak_bytes_per_cycle;
    launch.levels[0].bytes_written = 0;
    launch.operations.f64 = compute_share * 1000 * 104 * 128;
    return verdict_of(launch).roofline.region;
  };
  EXPECT_EQ(region(1.03, 0.1), Region::kUnattainableBandwidth);
  EXPECT_EQ(region(1.01, 0.1), Region::kBandwidthBound);
  EXPECT_EQ(region(0.51, 0.1), Region::kBandwidthBound);
  EXPECT_EQ(region(0.49, 0.1), Region::kPoorPerformance);
  EXPECT_EQ(region(0.1, 0.49), Region::kPoorPerformance);
  EXPECT_EQ(region(0.1, 0.51), Region::kComputeBound);
  EXPECT_EQ(region(0.1, 1.01), Region::kComputeBound);
  EXPECT_EQ(region(0.1, 1.03), Region::kUnattainableCompute);
}

}  // namespace
}  // namespace wavetank::profile
