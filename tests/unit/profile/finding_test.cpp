// Rules that read what an instruction is and how its lanes lie.
#include "profile/finding.hpp"

#include <gmock/gmock.h>

#include "isa/catalogue.hpp"
#include "profile/launch_overhead.hpp"
#include "profile/verdict.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::profile {
namespace {

using testing::HasSubstr;

InstructionProfile access(const char* name, double stride, double lines, double needed) {
  InstructionProfile i;
  i.row = isa::find_row(name, isa::Targets::kBoth);
  i.file = "kernel.hip";
  i.line = 7;
  i.array = "in";
  i.hits = i.strided_accesses = 1000;
  i.active_lanes = 64 * i.hits;
  i.stride = {stride, stride};
  i.lines_touched = lines * i.hits;
  i.lines_needed = needed * i.hits;
  i.cycles[static_cast<std::size_t>(Reason::kWaitVectorMemory)] = 40000000;
  return i;
}

InstructionProfile vector(const char* name, unsigned line, double hits) {
  InstructionProfile i;
  i.row = isa::find_row(name, isa::Targets::kBoth);
  i.file = "kernel.hip";
  i.line = line;
  i.hits = hits;
  i.active_lanes = 64 * hits;
  return i;
}

/// The rule's finding in a copy whose instructions are these.
std::optional<Finding> found(std::string_view id, std::vector<InstructionProfile> instructions) {
  LaunchProfile launch = vector_copy();
  launch.instructions = std::move(instructions);
  const Verdict verdict = judge(launch, *target::load_device(launch.device));
  for (const Finding& finding : verdict.findings) {
    if (finding.id == id) return finding;
  }
  return std::nullopt;
}

TEST(Finding, LanesThatShareALineOf128BytesWithGapsReadFieldsAndOthersWalkRows) {
  EXPECT_TRUE(found("strided-fields", {access("global_load_dword", 124, 62, 2)}));
  EXPECT_FALSE(found("uncoalesced", {access("global_load_dword", 124, 62, 2)}));
  EXPECT_TRUE(found("uncoalesced", {access("global_load_dword", 128, 64, 2)}));
  EXPECT_FALSE(found("strided-fields", {access("global_load_dword", 128, 64, 2)}));
}

TEST(Finding, AnAccessIsNamedByItsArrayAndItsStride) {
  const auto finding = found("uncoalesced", {access("global_load_dword", 8192, 64, 4)});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->text,
            "uncoalesced loads of in: 64 cache lines for each wave where 4 would do, "
            "stride 8192 bytes");
  EXPECT_EQ(finding->place, "kernel.hip:7");
  ASSERT_NE(finding->rule, nullptr);
  EXPECT_THAT(finding->rule->remedy, HasSubstr("neighbouring"));
}

TEST(Finding, RowsOfFourBytesAreNarrowAndRowsOfSixteenAreNot) {
  EXPECT_TRUE(found("narrow-accesses", {access("global_load_dword", 4, 4, 4)}));
  EXPECT_FALSE(found("narrow-accesses", {access("global_load_dwordx4", 16, 16, 16)}));
  EXPECT_FALSE(found("narrow-accesses", {access("global_atomic_add", 4, 4, 4)}));
}

TEST(Finding, ARowThatTouchesALineMoreIsMisaligned) {
  EXPECT_TRUE(found("misaligned", {access("global_load_dword", 4, 5, 4)}));
  EXPECT_FALSE(found("misaligned", {access("global_load_dword", 4, 4, 4)}));
  EXPECT_FALSE(found("uncoalesced", {access("global_load_dword", 4, 5, 4)}));
}

TEST(Finding, OneAddressForAllLanesIsUniform) {
  EXPECT_TRUE(found("uniform-loads", {access("global_load_dword", 0, 1, 1)}));
  EXPECT_FALSE(found("uniform-loads", {access("global_load_dword", 4, 4, 4)}));
  EXPECT_FALSE(found("uniform-loads", {access("global_store_dword", 0, 1, 1)}));
}

TEST(Finding, CompareAndSwapIsALoopAndOtherAtomicsAreAtomics) {
  const auto swap = found("swap-loop", {access("global_atomic_cmpswap", 0, 1, 1)});
  ASSERT_TRUE(swap);
  EXPECT_THAT(swap->text, HasSubstr("compare-and-swap of in"));
  EXPECT_FALSE(found("atomics", {access("global_atomic_cmpswap", 0, 1, 1)}));
  EXPECT_TRUE(found("atomics", {access("global_atomic_add", 0, 1, 1)}));
}

TEST(Finding, ASwapLoopGainsTheTriesThatFail) {
  InstructionProfile before = vector("v_mov_b32", 6, 250);
  InstructionProfile swap = access("global_atomic_cmpswap", 0, 1, 1);
  const auto finding = found("swap-loop", {before, swap});
  EXPECT_THAT(finding->text, HasSubstr("a wave tries 4 times"));
  ASSERT_TRUE(finding->is_estimated);
  const double once = *found("swap-loop", {swap})->gain_percent;
  EXPECT_EQ(once, 0) << "nothing says how often it is begun";
  const LaunchProfile launch = vector_copy();
  const double running = 100 * running_share(launch);
  EXPECT_NEAR(*finding->gain_percent, finding->weight / 100 * running * 3 / 4, 1e-9);
}

TEST(Finding, WhatTheLaunchBeforeHadIsForOneKernel) {
  InstructionProfile load = access("global_load_dword", 4, 4, 4);
  load.access = "a[i]";
  InstructionProfile other = access("global_store_dword", 4, 4, 4);
  other.line = 8;
  load.known_before = load.hits;
  other.hits = 3 * load.hits;
  other.lines_touched = 3 * load.lines_touched;
  const auto finding = found("fusion", {load, other});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->text,
            "25 % of the cache lines that it touches are of elements that the same work-items had "
            "in the launch before: loads of a[i] in in");
  EXPECT_EQ(finding->place, "kernel.hip:7");
  const double running = running_share(vector_copy());
  EXPECT_NEAR(*finding->gain_percent, 50 * (1 - 0.75 * running), 1e-9) << "one of two stays";
  load.known_before = 0.99 * load.hits;
  EXPECT_FALSE(found("fusion", {load, other}));
}

TEST(Finding, DiesFetchTheSameMemoryWhereLoadsTakeTwiceTheirArray) {
  LaunchProfile launch = vector_copy();
  launch.device = "mi300x";
  launch.levels.push_back({.name = std::string(kMallLevel), .requests = 1e6, .hits = 1e6});
  const auto is_found = [&](std::uint64_t array_bytes) {
    InstructionProfile load = access("global_load_dword", 4, 2, 2);
    load.array_bytes = array_bytes;
    launch.instructions = {load, load};
    const Verdict verdict = judge(launch, *target::load_device(launch.device));
    return std::ranges::any_of(verdict.findings,
                               [](const Finding& finding) { return finding.id == "die-order"; });
  };
  constexpr std::uint64_t kLoaded = 2 * 1000 * 2 * 128;  // loads, waves, lines, bytes
  EXPECT_TRUE(is_found(kLoaded / 2));
  EXPECT_FALSE(is_found(kLoaded / 2 + 1));
  EXPECT_FALSE(is_found(0)) << "not known";
}

TEST(Finding, CodeOfLessThanAQuarterOfTheCacheIsNotTooLong) {
  const auto is_too_long = [](unsigned bytes) {
    LaunchProfile launch = vector_copy();
    launch.cycles_by_reason = {};
    launch.cycles_by_reason[static_cast<std::size_t>(Reason::kWaitFetch)] = 1000;
    launch.instructions.assign(bytes / 8 + 1, vector("v_add_u32", 9, 100));
    for (std::size_t i = 0; i < launch.instructions.size(); ++i) {
      launch.instructions[i].offset = 8 * i;
    }
    const Verdict verdict = judge(launch, *target::load_device(launch.device));
    return std::ranges::any_of(verdict.findings,
                               [](const Finding& finding) { return finding.id == "wait-fetch"; });
  };
  EXPECT_FALSE(is_too_long(8192 - 8));
  EXPECT_TRUE(is_too_long(8192));
}

TEST(Finding, AtomicsThatNobodyWaitsForAreFoundByTheirNumber) {
  InstructionProfile atomic = access("global_atomic_add", 0, 1, 1);
  atomic.cycles = {};
  InstructionProfile load = access("global_load_dwordx4", 16, 16, 16);
  load.line = 8;
  load.hits = 9 * atomic.hits;
  EXPECT_TRUE(found("atomics", {atomic, load}));
  load.hits = 9.1 * atomic.hits;
  EXPECT_FALSE(found("atomics", {atomic, load}));
}

TEST(Finding, ASpillIsWhereMostAccessesOfScratchAre) {
  std::vector<InstructionProfile> code(4, access("scratch_load_dword", 4, 4, 4));
  for (std::size_t i = 0; i < code.size(); ++i) {
    code[i].line = i == 0 ? 5 : 6;
    code[i].private_accesses = i == 0 ? 250 : 100;
  }
  EXPECT_EQ(found("spill", code)->place, "kernel.hip:6");
}

/// A line of `count` vector instructions, the first of which is `sign`.
std::vector<InstructionProfile> line_of(const char* sign, unsigned count) {
  std::vector<InstructionProfile> line = {vector(sign, 9, 100)};
  while (line.size() < count) line.push_back(vector("v_add_u32", 9, 100));
  return line;
}

TEST(Finding, ALineOfSixInstructionsWithAStepOfADivisionIsOne) {
  EXPECT_TRUE(found("division", line_of("v_rcp_iflag_f32", 6)));
  EXPECT_TRUE(found("division", line_of("v_div_fixup_f64", 6)));
  EXPECT_FALSE(found("division", line_of("v_rcp_iflag_f32", 5)));
  EXPECT_FALSE(found("division", line_of("v_rcp_f32", 6))) << "an approximation is no division";
}

TEST(Finding, ALineOfTwelveInstructionsWithATranscendentalIsALongFunction) {
  EXPECT_TRUE(found("slow-functions", line_of("v_exp_f32", 12)));
  EXPECT_FALSE(found("slow-functions", line_of("v_exp_f32", 11)));
  EXPECT_FALSE(found("slow-functions", line_of("v_rcp_iflag_f32", 12)));
}

TEST(Finding, SumsOfProductsOfWhatIsLoadedCouldBeMatrixInstructions) {
  InstructionProfile load = access("global_load_dword", 0, 1, 1);
  const auto sums = [&](double fmas) {
    return std::vector{load, vector("v_fma_f32", 9, fmas), vector("v_add_u32", 9, 500)};
  };
  EXPECT_TRUE(found("matrix-unit", sums(16000)));
  EXPECT_FALSE(found("matrix-unit", sums(16001))) << "a polynomial";
  auto with = sums(16000);
  with.push_back(vector("v_mfma_f32_32x32x2_f32", 9, 1));
  EXPECT_FALSE(found("matrix-unit", with));
  load = access("global_load_dword", 4, 4, 4);
  EXPECT_FALSE(found("matrix-unit", sums(16000))) << "no factor is that of several lanes";
}

TEST(Finding, TheChangeOfALineIsItsArithmeticByOffsets) {
  std::vector<InstructionProfile> code = line_of("v_rcp_iflag_f32", 6);
  code.insert(code.begin() + 3, vector("global_load_dword", 9, 100));
  for (std::size_t i = 0; i < code.size(); ++i) code[i].offset = 0x40 + 4 * i;
  const auto finding = found("division", code);
  ASSERT_TRUE(finding);
  EXPECT_EQ(change_of(*finding), "code=40-4c:50-5c") << "without the load";
}

/// A launch of 28900 cycles with a division, stores that leave gaps, and answers.
Verdict timed_again(std::vector<WhatIf> answers) {
  LaunchProfile launch = vector_copy();
  launch.instructions = line_of("v_rcp_iflag_f32", 6);
  for (std::size_t i = 0; i < launch.instructions.size(); ++i) {
    launch.instructions[i].offset = 4 * i;
  }
  launch.instructions.push_back(access("global_store_dword", 124, 62, 2));
  launch.what_if = std::move(answers);
  return judge(launch, *target::load_device(launch.device));
}

TEST(Advice, TheLargestGainStandsFirstAndLessThanThreePercentIsNone) {
  Verdict v = timed_again(
      {{"coalescing=perfect", 26010, ""}, {"code=0-18", 14450, ""}, {"launch=free", 28100, ""}});
  ASSERT_EQ(v.findings.size(), 2u);
  EXPECT_EQ(v.findings[0].id, "division");
  EXPECT_DOUBLE_EQ(*v.findings[0].gain_percent, 50);
  EXPECT_EQ(v.findings[1].id, "strided-fields");
  EXPECT_NEAR(*v.findings[1].gain_percent, 10, 1e-9);
  v = timed_again({{"coalescing=perfect", 28032, ""}, {"code=0-18", 28034, ""}});
  ASSERT_EQ(v.findings.size(), 1u);
  EXPECT_EQ(v.findings[0].id, "strided-fields") << "3.003 %, the other 2.997 %";
}

TEST(Advice, WhatHasNoAnswerAmongAllIsNoneAndALaunchWithoutAnswersKeepsItsFindings) {
  const WhatIf astray = {"coalescing=perfect", 0, "went astray"};
  EXPECT_TRUE(timed_again({astray, {"all", 1, ""}}).findings.empty());
  EXPECT_FALSE(timed_again({}).findings.empty());
}

TEST(Advice, ASmallGridsGainIsThePartOfTheCusThatIdle) {
  LaunchProfile launch = vector_copy();
  launch.grid_work_items = {256 * 26, 1, 1};
  launch.units.clear();
  launch.levels.clear();
  launch.what_if = {{"launch=free", launch.cycles, ""}, {"all", launch.cycles, ""}};
  const Verdict v = judge(launch, *target::load_device(launch.device));
  ASSERT_EQ(v.findings.size(), 1u);
  EXPECT_TRUE(v.findings[0].is_estimated);
  EXPECT_NEAR(*v.findings[0].gain_percent, 75 * (28900.0 - 2800) / 28900, 1e-9);
  launch.units = {{"VALU", 60}};
  const Verdict busy = judge(launch, *target::load_device(launch.device));
  EXPECT_NEAR(*busy.findings[0].gain_percent, 100 * (28900.0 - 2800) / 28900 - 60, 1e-9)
      << "the VALUs have no less to do";
}

TEST(Advice, ACauseThatIsMostOfAWiderOneAtItsPlaceStandsBeforeIt) {
  LaunchProfile launch = vector_copy();
  launch.instructions = {access("global_load_dword", 128, 64, 2)};
  launch.instructions[0].translation_misses = 64000;
  launch.units = {{std::string(kTranslation), 90}};
  launch.counters["TCP_UTCL1_TRANSLATION_MISS"] = {.sum = 64000, .max = 1000, .instances = 104};
  launch.counters["SQ_BUSY_CU_CYCLES"] = {104 * 28900 / 4, 0, 8};
  const auto first_of = [&](std::uint64_t with_lanes_together, std::uint64_t with_translations) {
    launch.what_if = {{"coalescing=perfect", with_lanes_together, ""},
                      {"translation=free", with_translations, ""}};
    const Verdict verdict = judge(launch, *target::load_device(launch.device));
    return verdict.findings.empty() ? "" : verdict.findings[0].id;
  };
  EXPECT_EQ(first_of(8900, 18890), "translation") << "half of what both gain";
  EXPECT_EQ(first_of(8900, 18910), "uncoalesced");
}

TEST(Finding, AtomicsOfTheLdsAreAtomics) {
  InstructionProfile atomic = access("ds_add_u32", 0, 0, 0);
  atomic.access = "bins[i % 4]";
  atomic.array.clear();
  const auto finding = found("atomics", {atomic});
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->text, HasSubstr("atomics of bins[i % 4]: 100 % of the memory instructions"));
}

TEST(Finding, AFenceForEachTenthLoadIsOneAndForFewerIsNot) {
  InstructionProfile fence = vector("buffer_wbinvl1_vol", 9, 100);
  InstructionProfile load = access("global_load_dwordx4", 16, 16, 16);
  load.hits = 1000;
  const auto finding = found("wait-fence", {load, fence});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->place, "kernel.hip:9");
  load.hits = 1001;
  EXPECT_FALSE(found("wait-fence", {load, fence}));
}

TEST(Finding, AnAccessIsNamedAsItsLineHasItAndByTheArrayBehindIt) {
  InstructionProfile load = access("global_load_dword", 8192, 64, 4);
  load.access = "row[k * 32]";
  EXPECT_THAT(found("uncoalesced", {load})->text, HasSubstr("loads of row[k * 32] in in: 64"));
  load.array = "row";
  EXPECT_THAT(found("uncoalesced", {load})->text, HasSubstr("loads of row[k * 32]: 64"));
}

TEST(Finding, ASpillWithoutALineIsNearTheInstructionBeforeIt) {
  InstructionProfile spill = access("buffer_store_dword", 4, 4, 4);
  spill.private_accesses = spill.hits;
  spill.line = 0;
  const auto finding = found("spill", {vector("v_add_u32", 9, 100), spill});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->place, "kernel.hip:9");
}

TEST(Finding, LanesThatNoWorkItemHasAreNoDivergence) {
  LaunchProfile launch = vector_copy();
  launch.instructions = {vector("v_add_u32", 9, 100)};
  launch.instructions[0].active_lanes = 16 * 100;
  const auto has = [&](std::string_view id) {
    const Verdict verdict = judge(launch, *target::load_device(launch.device));
    return std::any_of(verdict.findings.begin(), verdict.findings.end(),
                       [&](const Finding& finding) { return finding.id == id; });
  };
  EXPECT_TRUE(has("divergence"));
  launch.workgroup_work_items = {16, 1, 1};
  EXPECT_FALSE(has("divergence"));
  EXPECT_TRUE(has("workgroup-shape"));
}

}  // namespace
}  // namespace wavetank::profile
