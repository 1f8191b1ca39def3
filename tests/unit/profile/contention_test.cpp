// What all waves queue for: each limit and finding just on either side of its boundary.
#include <gmock/gmock.h>

#include "isa/catalogue.hpp"
#include "profile/launch_overhead.hpp"
#include "profile/verdict.hpp"
#include "target/load_device.hpp"
#include "unit/profile/finding_samples.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::profile {
namespace {

const target::Device& mi210() {
  static const target::Device device = *target::load_device("mi210");
  return device;
}

const Finding* finding(const Verdict& verdict, std::string_view id) {
  for (const Finding& f : verdict.findings) {
    if (f.id == id) return &f;
  }
  return nullptr;
}

/// A launch of which nothing is busy.
LaunchProfile idle() {
  LaunchProfile launch = vector_copy();
  launch.units.clear();
  launch.levels.clear();
  launch.launch_cycles = 0;
  return launch;
}

/// Cycles of so many nanoseconds on the MI210.
std::uint64_t cycles_of(double ns) { return static_cast<std::uint64_t>(ns * 1.7); }

TEST(LaunchQueue, BoundsSmallLaunchesThatFollowEachOther) {
  LaunchProfile launch = idle();
  launch.launch_cycles = cycles_of(1320);
  launch.cycles = cycles_of(2100);
  const Verdict v = judge(launch, mi210(), {1000, 1000});
  EXPECT_EQ(v.limit.bound, Bound::kLaunch);
  EXPECT_EQ(v.limit.what, "the launch queue");
  EXPECT_EQ(v.limit.page, "launch-queue");
  EXPECT_EQ(v.limit.because, "From one's last wave to the next one's first pass 63 % of the time.");
  EXPECT_EQ(finding(v, "launch-queue")->text,
            "1000 launches of 0.78 µs, each 1.32 µs behind the one before");
  EXPECT_EQ(finding(v, "launch-bound"), nullptr) << "one of them says it";
}

TEST(LaunchQueue, BoundsWhatItsIntervalHidesHoweverLongThatRuns) {
  const auto bound_of = [](double gap_ns, double kernel_ns) {
    LaunchProfile launch = idle();
    launch.launch_cycles = cycles_of(gap_ns);
    launch.cycles = launch.launch_cycles + cycles_of(kernel_ns);
    return judge(launch, mi210()).limit.what == "the launch queue";
  };
  EXPECT_TRUE(bound_of(400, 1700)) << "the next begins 2.1 us behind it, were it shorter or not";
  EXPECT_TRUE(bound_of(352, 1740));
  EXPECT_FALSE(bound_of(350, 1750)) << "it begins when the one before is over";
  EXPECT_FALSE(bound_of(1000, 1760)) << "only the one before was short";
}

TEST(LaunchQueue, IsAFindingFromATenthOfTheTimeOn) {
  LaunchProfile launch = idle();
  launch.launch_cycles = 100;
  launch.cycles = 1000;
  EXPECT_NE(finding(judge(launch, mi210()), "launch-queue"), nullptr);
  launch.cycles = 1001;
  EXPECT_EQ(finding(judge(launch, mi210()), "launch-queue"), nullptr);
}

TEST(LaunchQueue, OfLaunchesInOneOnlyTheWorkStays) {
  LaunchProfile launch = idle();
  launch.launch_cycles = 500;
  launch.cycles = 2000;
  launch.waves = 100;
  const auto gain = [&](std::uint64_t launches) {
    return *finding(judge(launch, mi210(), {1, launches}), "launch-queue")->gain_percent;
  };
  launch.cycles_by_reason = {};
  EXPECT_DOUBLE_EQ(gain(4), 75.0 * 500 / 2000) << "three of four overheads";
  EXPECT_DOUBLE_EQ(gain(1), 50.0 * 500 / 2000) << "there is one before it";
  launch.units.push_back({std::string(kDispatcher), 30});
  EXPECT_DOUBLE_EQ(gain(4), 75.0 * (500 + 600) / 2000) << "waves start once";
  launch.cycles_by_reason[static_cast<std::size_t>(Reason::kWaitVectorMemory)] = 40000;
  EXPECT_DOUBLE_EQ(gain(4), 75.0 * (500 + 600 + 400) / 2000) << "values stay in registers";
  launch.cycles_by_reason[static_cast<std::size_t>(Reason::kWaitLds)] = 110000;
  EXPECT_DOUBLE_EQ(gain(4), 75.0 * (2000 - 1100) / 2000) << "what each of 100 waves does";
  launch.units.push_back({"VALU", 60});
  EXPECT_DOUBLE_EQ(gain(4), 75.0 * (2000 - 1200) / 2000) << "work is work";
}

TEST(LaunchBound, ALaunchAloneHasNoneToGoTogetherWith) {
  LaunchProfile launch = idle();
  launch.launch_cycles = 2006;
  launch.cycles = 3000;
  const auto gain = [&](std::uint64_t launches) {
    return *finding(judge(launch, mi210(), {1, launches}), "launch-bound")->gain_percent;
  };
  EXPECT_EQ(gain(1), 0);
  EXPECT_GT(gain(2), 30);
}

TEST(LaunchQueue, IsNotToBlameForALaunchOnAnIdleDevice) {
  // launch.start_latency and launch.end_latency of the MI210: 680 and 500 ns.
  LaunchProfile launch = idle();
  launch.cycles = 3000;
  for (const std::uint64_t overhead : {2005, 2006, 2007}) {
    launch.launch_cycles = overhead;
    EXPECT_FALSE(is_queued(launch, mi210()));
    EXPECT_EQ(judge(launch, mi210()).limit.what, "launch overhead");
  }
  for (const std::uint64_t overhead : {2004, 2008}) {
    launch.launch_cycles = overhead;
    EXPECT_TRUE(is_queued(launch, mi210()));
  }
}

TEST(BusyLimit, IsAskedOfTheTimeThatWavesRun) {
  LaunchProfile launch = idle();
  launch.cycles = 10000;
  launch.launch_cycles = 2006;
  launch.write_back_cycles = 1994;
  for (const double busy : {35.9, 36.0}) {
    launch.units = {{"VALU", busy}};
    EXPECT_EQ(judge(launch, mi210()).limit.what,
              busy < 36 ? "the latency of vector memory" : "the VALU");
  }
  EXPECT_EQ(judge(launch, mi210()).limit.because, "It is busy 60 % of the time that waves run.");
}

TEST(BusyLimit, OfWhatEachCuHasIsAskedOfTheTimeThatItHasWaves) {
  LaunchProfile launch = idle();
  launch.cycles = 10000;
  launch.launch_cycles = 2000;
  launch.occupancy.cu_percent = 75;
  for (const double busy : {35.9, 36.0}) {
    launch.units = {{"VALU", busy}};
    EXPECT_EQ(judge(launch, mi210()).limit.what,
              busy < 36 ? "the latency of vector memory" : "the VALU");
  }
  EXPECT_EQ(judge(launch, mi210()).limit.because,
            "It is busy 60 % of the time that its CU has waves.");
  for (const std::string_view shared : {kDispatcher, kFabric}) {
    launch.units = {{std::string(shared), 47}};
    EXPECT_EQ(judge(launch, mi210()).limit.what, "the latency of vector memory") << shared;
  }
  launch.units.clear();
  launch.levels = {{.name = std::string(kL2Level), .busy_percent = 47}};
  EXPECT_EQ(judge(launch, mi210()).limit.what, "the latency of vector memory");
  launch.levels = {{.name = std::string(kVectorL1), .busy_percent = 47}};
  EXPECT_EQ(judge(launch, mi210()).limit.resource, kVectorL1);
}

TEST(BusyLimit, OfFewCusIsAskedOfTheDevice) {
  LaunchProfile launch = idle();
  launch.cycles = 10000;
  launch.launch_cycles = 2000;
  launch.units = {{"VALU", 45}};
  for (const double cu_percent : {50.0, 50.1}) {
    launch.occupancy.cu_percent = cu_percent;
    EXPECT_EQ(judge(launch, mi210()).limit.resource, cu_percent > 50 ? "VALU" : "");
  }
}

TEST(WriteBack, OfTheL2sIsPartOfTheOverheadAndNamedWhereItIsMostOfIt) {
  LaunchProfile launch = idle();
  launch.cycles = 10000;
  launch.launch_cycles = 2006;
  launch.write_back_cycles = 2993;
  EXPECT_EQ(judge(launch, mi210()).limit.bound, Bound::kLatency) << "49.99 % without a wave";
  launch.write_back_cycles = 2994;
  const Verdict v = judge(launch, mi210());
  EXPECT_EQ(v.limit.what, "the write-back of the L2s");
  EXPECT_EQ(v.limit.page, "write-back");
  EXPECT_EQ(finding(v, "write-back")->text, "the L2s write back for 1.76 µs after the last wave");
  launch.launch_cycles = 4000;
  launch.write_back_cycles = 3999;
  EXPECT_EQ(judge(launch, mi210()).limit.what, "the launch queue");
  launch.write_back_cycles = 4000;
  EXPECT_EQ(judge(launch, mi210()).limit.what, "the write-back of the L2s");
}

TEST(WriteBack, IsAFindingFromAFifthOfTheTimeOn) {
  LaunchProfile launch = idle();
  launch.cycles = 10000;
  launch.launch_cycles = 1;
  for (const std::uint64_t cycles : {1999, 2000}) {
    launch.write_back_cycles = cycles;
    EXPECT_EQ(finding(judge(launch, mi210()), "write-back") != nullptr, cycles == 2000);
  }
}

TEST(Dispatcher, BoundsFromSixtyPercentOn) {
  LaunchProfile launch = idle();
  for (const double busy : {59.9, 60.0}) {
    launch.units = {{std::string(kDispatcher), busy}, {"VALU", 40}};
    const Verdict v = judge(launch, mi210());
    EXPECT_EQ(v.limit.bound, busy < 60 ? Bound::kLatency : Bound::kLaunch);
  }
  const Verdict v = judge(launch, mi210());
  EXPECT_EQ(v.limit.what, "the dispatcher's rate");
  EXPECT_EQ(v.limit.page, "dispatcher");
}

TEST(Dispatcher, ItsFindingSaysWhatAWorkgroupCosts) {
  LaunchProfile launch = idle();
  for (const double busy : {39.9, 40.0}) {
    launch.units = {{std::string(kDispatcher), busy}};
    EXPECT_EQ(finding(judge(launch, mi210()), "dispatcher") != nullptr, busy >= 40);
  }
  // 40 % of 28900 cycles on 8 shader engines for 4096 workgroups.
  EXPECT_EQ(finding(judge(launch, mi210()), "dispatcher")->text,
            "4096 workgroups of 4 waves: a shader engine takes 23 cycles to start one");
}

TEST(Dispatcher, IsNoFindingWhereAnotherResourceIsMuchBusier) {
  LaunchProfile launch = idle();
  for (const double other : {80.0, 80.1}) {
    launch.units = {{std::string(kDispatcher), 60}, {"VALU", other}};
    EXPECT_EQ(finding(judge(launch, mi210()), "dispatcher") != nullptr, other == 80);
  }
}

/// A launch whose CUs, each at work for a tenth of it, ask for translations so much of its time,
/// the worst for so many.
LaunchProfile walking(double percent_of_launch, double most) {
  LaunchProfile launch = idle();
  launch.cycles = 10000;
  launch.units = {{std::string(kTranslation), percent_of_launch}};
  launch.counters["TCP_UTCL1_TRANSLATION_MISS"] = {most, most, 104};
  launch.counters["SQ_BUSY_CU_CYCLES"] = {104 * 1000, 0, 8};
  launch.instructions[1].translation_misses = 57 * launch.instructions[1].hits;
  return launch;
}

TEST(Translation, IsFoundWhereMissesTakeATenthOfTheTimeOfWorkingCus) {
  EXPECT_EQ(finding(judge(walking(0.99, 33), mi210()), "translation"), nullptr);
  const Verdict v = judge(walking(1, 33), mi210());
  const Finding* found = finding(v, "translation");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->text, "translation: a wave's access walks 57 new pages, a CU keeps 32");
  EXPECT_EQ(found->place, "kernel.hip:14");
}

TEST(Translation, OfPagesThatFitIsNoFinding) {
  EXPECT_EQ(finding(judge(walking(1, 32), mi210()), "translation"), nullptr)
      << "each page is missed once";
}

TEST(Translation, BoundsFromSixtyPercentOn) {
  LaunchProfile launch = idle();
  for (const double busy : {59.9, 60.0}) {
    launch.units = {{std::string(kTranslation), busy}};
    const Verdict v = judge(launch, mi210());
    EXPECT_EQ(v.limit.bound, busy < 60 ? Bound::kLatency : Bound::kMemory);
    if (busy >= 60) {
      EXPECT_EQ(v.limit.what, "address translation");
      EXPECT_EQ(v.limit.page, "translation");
    }
  }
}

/// A launch of which HBM is busy so many percent of the time, its banks and its buses so many.
LaunchProfile opening_rows(double busy, double banks, double bus) {
  LaunchProfile launch = idle();
  launch.levels = {
      {.name = "HBM", .bytes_read = 128000, .peak_bytes_per_cycle = 963.76, .busy_percent = busy}};
  launch.levels[0].rows = {1000, 1024, banks, bus};
  return launch;
}

TEST(DramRows, BanksBoundWhereTheyAreBusierThanTheBus) {
  EXPECT_EQ(judge(opening_rows(80, 70, 70), mi210()).limit.what, "the HBM's request rate");
  const Verdict v = judge(opening_rows(80, 70.1, 70), mi210());
  EXPECT_EQ(v.limit.what, "DRAM banks");
  EXPECT_EQ(v.limit.because,
            "While waves run they open rows 70 % of the time, the bus works 70 %.");
  EXPECT_EQ(v.limit.page, "dram-rows");
}

TEST(DramRows, AreFoundFromFortyPercentOnWhereTheBusIsNotTheLimit) {
  EXPECT_EQ(finding(judge(opening_rows(50, 40, 39), mi210()), "dram-rows")->text,
            "DRAM banks open a row of 1024 bytes for 128 bytes of it");
  EXPECT_EQ(finding(judge(opening_rows(50, 40, 40), mi210()), "dram-rows"), nullptr);
  EXPECT_EQ(finding(judge(opening_rows(50, 39.9, 39), mi210()), "dram-rows"), nullptr);
}

TEST(Channels, BoundWhereOneIsBusyAndTheLevelIsNot) {
  LaunchProfile launch = idle();
  launch.levels = {{.name = "L2", .peak_bytes_per_cycle = 4096, .busy_percent = 12}};
  for (const double busy : {59.9, 60.0}) {
    launch.levels[0].channels = {32, busy, 0, 1, 60};
    const Verdict v = judge(launch, mi210());
    EXPECT_EQ(v.limit.bound, busy < 60 ? Bound::kLatency : Bound::kMemory);
    EXPECT_EQ(finding(v, "channels")->text, "1 of 32 L2 channels does 60 % of the work");
  }
  const Verdict v = judge(launch, mi210());
  EXPECT_EQ(v.limit.what, "1 of 32 L2 channels");
  EXPECT_EQ(v.limit.because,
            "While waves run the busiest works 60 % of the time, the average one 12 %.");
  EXPECT_EQ(v.limit.page, "channels");
}

TEST(Channels, AreFoundWhereWavesWaitMost) {
  LaunchProfile launch = idle();
  launch.levels = {{.name = "L2", .busy_percent = 3, .channels = {32, 99, 0, 1, 96}}};
  InstructionProfile load = access("global_load_dword", 4, 4, 4), atomic = load;
  atomic.row = isa::find_row("global_atomic_add");
  load.line = 9;
  atomic.line = 11;
  load.lines_touched = atomic.lines_touched + 1;
  atomic.awaited_cycles = 700;
  launch.instructions = {load, atomic};
  EXPECT_EQ(finding(judge(launch, mi210()), "channels")->place, "kernel.hip:11");
  launch.instructions[0].awaited_cycles = 701;
  EXPECT_EQ(finding(judge(launch, mi210()), "channels")->place, "kernel.hip:9");
}

TEST(Channels, AreUnevenFromTwentyPointsOn) {
  LaunchProfile launch = idle();
  launch.levels = {{.name = "MALL", .busy_percent = 70}};
  for (const double busy : {89.9, 90.0}) {
    launch.levels[0].channels = {128, busy, 0, 12, 40};
    const Verdict v = judge(launch, mi210());
    EXPECT_EQ(v.limit.what, busy < 90 ? "MALL bandwidth" : "12 of 128 MALL slices");
    EXPECT_EQ(finding(v, "channels") != nullptr, busy >= 90);
  }
}

TEST(Channels, ThatTakeTurnsAreUnevenAtATime) {
  LaunchProfile launch = idle();
  launch.levels = {{.name = "L2", .busy_percent = 30}};
  for (const double moment : {49.9, 50.0, 60.0}) {
    launch.levels[0].channels = {32, 31, moment, 14, 52};
    const Verdict v = judge(launch, mi210());
    EXPECT_EQ(finding(v, "channels") != nullptr, moment >= 50);
    EXPECT_EQ(v.limit.bound, moment < 60 ? Bound::kLatency : Bound::kMemory);
  }
  const Verdict v = judge(launch, mi210());
  EXPECT_EQ(v.limit.what, "16 of 32 L2 channels at a time");
  EXPECT_EQ(finding(v, "channels")->text,
            "16 of 32 L2 channels at a time do the work, one after the other");
}

TEST(Channels, OfAFarLevelExplainThatNearOnesAreBusy) {
  LaunchProfile launch = idle();
  launch.levels = {{.name = "L2", .busy_percent = 90}, {.name = "HBM", .busy_percent = 20}};
  launch.levels[1].channels = {32, 88, 0, 4, 95};
  EXPECT_EQ(judge(launch, mi210()).limit.what, "4 of 32 HBM channels");
}

}  // namespace
}  // namespace wavetank::profile
