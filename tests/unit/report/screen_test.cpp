#include "report/screen.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "target/load_device.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;
using testing::HasSubstr;
using testing::Not;

std::string screen_of(const LaunchProfile& launch, const TextOptions& options = {}) {
  const std::vector<LaunchProfile> launches = {launch};
  const target::Device device = *target::load_device(launch.device);
  return kernel_screen(launches, group_launches(launches).front(), profile::judge(launch, device),
                       device, options);
}

std::vector<LaunchProfile> samples() {
  return {profile::vector_copy(), profile::transpose_read_contiguous(), profile::compute_bound(),
          profile::barrier_loop(), profile::empty_kernel()};
}

TEST(Screen, WhatALaunchWouldTakeStandsBelowTheVerdict) {
  LaunchProfile launch = profile::transpose_read_contiguous();
  const auto percent = [&](std::uint64_t of) { return launch.cycles * of / 100; };
  launch.what_if = {{"hbm.latency=none", percent(100), ""},
                    {"lanes=all", percent(80), ""},
                    {"coalescing=perfect", percent(25), ""},
                    {"coalescing=perfect+lanes=all", percent(20), ""},
                    {"barriers=off", 0, "the launch went astray"},
                    {"all", percent(2), ""}};
  const std::string screen = screen_of(launch);
  const std::size_t table = screen.find("What if");
  ASSERT_NE(table, std::string::npos);
  EXPECT_LT(screen.find("uncoalesced"), table);
  EXPECT_LT(table, screen.find("Where the cycles went"));
  const auto at = [&](const char* text) { return screen.find(text, table); };
  EXPECT_LT(at("coalescing=perfect "), at("lanes=all "));
  EXPECT_THAT(screen, HasSubstr("-75.0 %"));
  EXPECT_THAT(screen, HasSubstr("less than 1 %: hbm.latency=none"));
  EXPECT_LT(at("together"), at("all of them"));
  EXPECT_LT(at("all of them"), at("coalescing=perfect+lanes=all"));
  EXPECT_THAT(screen, HasSubstr("barriers=off: not known, the launch went astray"));
  launch.what_if.clear();
  EXPECT_THAT(screen_of(launch), Not(HasSubstr("What if")));
  launch.not_repeatable = "it calls the host";
  EXPECT_THAT(screen_of(launch), HasSubstr("Not timed again: it calls the host"));
}

TEST(Screen, AProfileCountsAsManyLaunchesAsItStandsFor) {
  LaunchProfile slow = profile::vector_copy(), repeated = slow;
  slow.cycles = repeated.cycles + 900;
  repeated.timed_before = true;
  repeated.repeats.count = 8;
  const std::vector<LaunchProfile> launches = {slow, repeated};
  const KernelGroup group = group_launches(launches).front();
  EXPECT_EQ(group.count, 9u);
  EXPECT_EQ(group.shown, 1u) << "the median";
  EXPECT_EQ(group.mean_cycles, static_cast<double>(repeated.cycles) + 100);
  EXPECT_THAT(
      kernel_screen(launches, group, profile::judge(repeated, *target::load_device("mi210")),
                    *target::load_device("mi210"), {}),
      HasSubstr(", 9 launches: "));
}

TEST(Screen, AMedianAmongMergedLaunchesIsShownAsTheirAverageAndSaysSo) {
  LaunchProfile whole = profile::vector_copy(), merged = whole;
  merged.merged = {
      .id = 1, .timed = 2, .reference = merged.counters, .counters = {{}}, .launches = {}};
  merged.merged.launches = {{2, 0, 0, 100, whole.cycles + 100, 0},
                            {3, 0, 0, 100, whole.cycles + 300, 0}};
  merged.cycles += 200;
  const std::vector<LaunchProfile> launches = {whole, merged};
  const KernelGroup group = group_launches(launches).front();
  EXPECT_EQ(group.count, 3u);
  EXPECT_EQ(group.shown, 1u);
  EXPECT_EQ(group.least_cycles, whole.cycles);
  EXPECT_EQ(group.most_cycles, whole.cycles + 300);
  EXPECT_NEAR(group.mean_cycles, static_cast<double>(whole.cycles) + 400 / 3.0, 1e-6);
  const target::Device device = *target::load_device("mi210");
  const auto screen = [&](std::size_t at) {
    KernelGroup shown = group;
    shown.shown = at;
    return kernel_screen(launches, shown, profile::judge(launches[at], device), device, {});
  };
  EXPECT_THAT(screen(1), HasSubstr("Shown is the average of 2 launches"));
  EXPECT_THAT(screen(0), Not(HasSubstr("average of")));
  EXPECT_THAT(short_name(merged, 40), testing::EndsWith(" (mean of 2)"));
  EXPECT_EQ(short_name(merged, 20).find("(mean of 2)"), short_name(merged, 20).size() - 11);
}

TEST(Screen, TheAnswerComesFirstAndTheEvidenceBelow) {
  EXPECT_THAT(
      screen_of(profile::transpose_read_contiguous()),
      testing::StartsWith(
          R"(transpose(double*, double*)                          7 480 000 cycles   4.400 ms
  AMD Instinct MI210, grid 8192 x 8192 in workgroups of 32 x 32
  Sampled: 2 600 of 65 536 workgroups, ± 1.4 %

  Memory bound: the vector memory unit.
  It is busy 88 % of the time that waves run.
  - uncoalesced stores: 64 cache lines for each wave where 8 would do
    ← kernel.hip:23

  Where the cycles went
    waiting for vector memory     36.2 %  ███████▋               ← kernel.hip:22
    vector memory pipeline full   52.3 %  ███████████            ← kernel.hip:23
    no wave in the slot           11.2 %  ██▍
    everything else                0.3 %  ▏
                                 -------
                                 100.0 %  of 24.9 G wave slot cycles

  Hottest lines
    kernel.hip:23   54.3 %  vector memory pipeline full     global_store_dwordx…
    kernel.hip:22   45.3 %  waiting for vector memory       s_waitcnt vmcnt(0)
)"));
}

/// A copy of which so much of the wave slots is empty.
LaunchProfile copy_with_empty(double share) {
  LaunchProfile launch = profile::vector_copy();
  const double slots =
      static_cast<double>(launch.wave_slots * (launch.cycles - launch.launch_cycles));
  launch.cycles_by_reason = {};
  const auto empty = static_cast<std::uint64_t>(share * slots);
  launch.cycles_by_reason[static_cast<std::size_t>(profile::Reason::kEmpty)] = empty;
  const auto used = static_cast<std::uint64_t>(slots) - empty;
  launch.cycles_by_reason[static_cast<std::size_t>(profile::Reason::kWaitVectorMemory)] =
      used - used / 4;
  launch.cycles_by_reason[static_cast<std::size_t>(profile::Reason::kWaitFetch)] = used / 4;
  return launch;
}

TEST(Screen, OnAnEmptyDeviceTheSharesOfWavesStandBesideThoseOfSlots) {
  EXPECT_THAT(screen_of(copy_with_empty(0.999)), HasSubstr(R"(
  Where the cycles went
                               of slots of waves
    waiting for vector memory    0.1 %   75.0 %  ██████████▌     ← kernel.hip:14
    waiting for instructions     0.0 %   25.0 %  ███▌
    no wave in the slot         99.9 %
                               -------  -------
                               100.0 %  100.0 %  of 86.9 M, 86.9 k cycles
)"));
}

TEST(Screen, EmptySlotsThatWaitForTheDispatcherSaySo) {
  LaunchProfile launch = copy_with_empty(0.9);
  const std::uint64_t slots = profile::total_cycles(launch.cycles_by_reason);
  launch.dispatch_slot_cycles = slots / 10 + 1;
  EXPECT_THAT(screen_of(launch), HasSubstr("← 10 % wait for the dispatcher"));
  launch.dispatch_slot_cycles = slots / 10 - 1;
  EXPECT_THAT(screen_of(launch), Not(HasSubstr("wait for the dispatcher")));
}

TEST(Screen, HalfOfTheSlotsMakeADeviceEmpty) {
  EXPECT_THAT(screen_of(copy_with_empty(0.501)), HasSubstr("of slots of waves"));
  EXPECT_THAT(screen_of(copy_with_empty(0.499)), Not(HasSubstr("of slots of waves")));
}

TEST(Screen, FitsEightyColumnsAndFortyFiveLines) {
  for (const LaunchProfile& launch : samples()) {
    std::istringstream lines(screen_of(launch));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      EXPECT_LE(width_of(line), 80u) << line;
      EXPECT_THAT(line, Not(testing::EndsWith(" ")));
    }
    EXPECT_LE(count, 45u);
  }
}

TEST(Screen, IsPlainWithoutColour) {
  TextOptions colour;
  colour.colour = true;
  EXPECT_THAT(screen_of(profile::vector_copy()), Not(HasSubstr("\x1b")));
  EXPECT_THAT(screen_of(profile::vector_copy(), colour), HasSubstr("\x1b[1m"));
}

TEST(Screen, SpeaksTheReadersWords) {
  TextOptions cuda;
  cuda.terms = target::Vocabulary::kCuda;
  const std::string screen = screen_of(profile::barrier_loop(), cuda);
  EXPECT_THAT(screen, HasSubstr("in thread blocks of 1024"));
  EXPECT_THAT(screen, HasSubstr("waiting for shared memory"));
  EXPECT_THAT(screen, HasSubstr("15.4 of 32 warps per CU"));
  EXPECT_THAT(screen, Not(HasSubstr("workgroup")));
}

TEST(Screen, ALongKernelNameIsCut) {
  LaunchProfile launch = profile::vector_copy();
  launch.kernel_name = std::string(300, 'x');
  EXPECT_THAT(screen_of(launch), HasSubstr("xx…   28 900 cycles"));
}

TEST(Screen, LaunchesOfOneShapeShareAScreen) {
  LaunchProfile slow = profile::vector_copy();
  slow.cycles = 30000;
  LaunchProfile other = profile::vector_copy();
  other.grid_work_items.x = 64;
  const std::vector<LaunchProfile> launches = {profile::vector_copy(), slow, other,
                                               profile::vector_copy()};
  const auto groups = group_launches(launches);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].launches, testing::ElementsAre(0, 1, 3));
  EXPECT_EQ(groups[0].shown, 3u) << "the median";
  EXPECT_EQ(groups[0].most_cycles, 30000u);
  EXPECT_THAT(summary_table(launches, groups, {}), HasSubstr("75.2 %"));
}

TEST(Text, NumbersAreShort) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(1234567), "1 234 567");
  EXPECT_EQ(short_number(512), "512");
  EXPECT_EQ(short_number(999.4), "999");
  EXPECT_EQ(short_number(999.6), "1.00 k");
  EXPECT_EQ(short_number(12345678), "12.3 M");
  EXPECT_EQ(duration(0.0873), "87.30 µs");
  EXPECT_EQ(duration(0.9999), "999.9 µs");
  EXPECT_EQ(duration(1), "1.000 ms");
  EXPECT_EQ(duration(2100), "2.100 s");
}

TEST(Text, LinesBreakAtSpaces) {
  EXPECT_EQ(wrapped("  - one two three", 11, 4), "  - one two\n    three");
  EXPECT_EQ(wrapped("  - one two three", 10, 4), "  - one\n    two\n    three");
  EXPECT_EQ(wrapped("unbreakable word", 4, 2), "unbreakable\n  word");
  EXPECT_EQ(wrapped("short", 80, 4), "short");
}

TEST(Text, NamesLoseTheirVoidAndParameters) {
  LaunchProfile launch;
  launch.kernel_name = "void mxv<128, (Kind)1>(float const*, int)";
  EXPECT_EQ(display_name(launch), "mxv<128, (Kind)1>(float const*, int)");
  EXPECT_EQ(short_name(launch), "mxv<128, (Kind)1>");
  launch.kernel_name = "(anonymous namespace)::k";
  EXPECT_EQ(short_name(launch), launch.kernel_name);
}

TEST(Text, BarsGrowByEighths) {
  EXPECT_EQ(bar(0, 10), "");
  EXPECT_EQ(bar(0.001, 10), "▏") << "what is there is seen";
  EXPECT_EQ(bar(0.5, 2), "█");
  EXPECT_EQ(bar(1, 2), "██");
  EXPECT_EQ(bar(7, 2), "██");
  EXPECT_EQ(cut("añb", 3), "añb");
  EXPECT_EQ(cut("añbc", 3), "añ…");
}

}  // namespace
}  // namespace wavetank::report
