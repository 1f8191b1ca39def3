// Rules that read what instructions are: arithmetic, spills, fences, the length of code.
#include <gmock/gmock.h>

#include "unit/profile/finding_samples.hpp"

namespace wavetank::profile {
namespace {

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

TEST(Finding, ASpillIsWhereMostAccessesOfScratchAre) {
  std::vector<InstructionProfile> code(4, access("scratch_load_dword", 4, 4, 4));
  for (std::size_t i = 0; i < code.size(); ++i) {
    code[i].line = i == 0 ? 5 : 6;
    code[i].private_accesses = i == 0 ? 250 : 100;
  }
  EXPECT_EQ(found("spill", code)->place, "kernel.hip:6");
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

TEST(Finding, ADivisionHasAReciprocalAndIsNoFunction) {
  auto line = line_of("v_div_fixup_f32", 12);
  line[1] = line[2];
  line[1].row = isa::find_row("v_rcp_f32");
  EXPECT_TRUE(found("division", line));
  EXPECT_FALSE(found("slow-functions", line));
  line[2].row = isa::find_row("v_exp_f32");
  EXPECT_TRUE(found("slow-functions", line)) << "an exponential is divided";
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
  load = access("global_load_dword", 0, 1, 1);
  load.array_bytes = 128000;  // half of what is loaded
  EXPECT_TRUE(found("matrix-unit", sums(16000)));
  ++load.array_bytes;
  EXPECT_FALSE(found("matrix-unit", sums(16000))) << "a matrix times a vector";
}

TEST(Finding, TheChangeOfALineIsItsArithmeticByOffsets) {
  std::vector<InstructionProfile> code = line_of("v_rcp_iflag_f32", 6);
  code.insert(code.begin() + 3, vector("global_load_dword", 9, 100));
  for (std::size_t i = 0; i < code.size(); ++i) code[i].offset = 0x40 + 4 * i;
  const auto finding = found("division", code);
  ASSERT_TRUE(finding);
  EXPECT_EQ(change_of(*finding), "code=40-4c:50-5c") << "without the load";
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
