// Every rule of dependence: the later instruction may not issue one wait state early, and may on
// time. Sources of the numbers: LLVM GCNHazardRecognizer.cpp; AMD matrix instruction calculator.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scripted_wave.hpp"
#include "timing/units/hazards.hpp"

namespace wavetank::timing::testing {
namespace {

/// A pair of instructions with the wait states that must lie between them.
struct Rule {
  const char* name;
  const char* writer;
  const char* user;
  int gfx90a;  ///< -1: the pair does not exist there
  int gfx942;
};

/// The slot period, the same on all devices: a wait state is one slot.
constexpr std::uint64_t kSlot = 4;

class WaitStates : public ::testing::TestWithParam<Rule> {
 protected:
  /// The first cycle in which `user` may issue after `writer`, from the writer's on.
  static std::uint64_t first_cycle(const Rule& rule, const TimingSpec& spec) {
    const machine::StepFacts writer = assembled(rule.writer, spec);
    const machine::StepFacts user = assembled(rule.user, spec);
    constexpr std::uint64_t kIssued = 1000;
    Hazards hazards;
    KnownWaits known;
    hazards.start_wave();
    hazards.issued(writer, kIssued, spec);
    const std::uint64_t ready = std::max(hazards.vector_ready(user, kIssued, spec, known),
                                         hazards.matrix_ready(user, kIssued, spec, known));
    return std::max(ready, kIssued + kSlot) - kIssued;
  }
  static void check(const Rule& rule, const char* device, int states) {
    if (states < 0) return;
    SCOPED_TRACE(device);
    const std::uint64_t first = first_cycle(rule, spec_of(device));
    EXPECT_GT(first, kSlot * static_cast<std::uint64_t>(states)) << "one wait state early";
    EXPECT_LE(first, kSlot * (static_cast<std::uint64_t>(states) + 1)) << "not yet on time";
  }
};

TEST_P(WaitStates, KeepTheUserBackExactlySoLong) {
  check(GetParam(), "mi210", GetParam().gfx90a);
  check(GetParam(), "mi250x", GetParam().gfx90a);
  check(GetParam(), "mi300x", GetParam().gfx942);
  check(GetParam(), "mi300a", GetParam().gfx942);
}

std::string name_of(const ::testing::TestParamInfo<Rule>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Vector, WaitStates,
    ::testing::Values(
        Rule{"VectorResultToVector", "v_mov_b32 v1, v0", "v_add_f32 v2, v1, v1", 0, 0},
        Rule{"VectorResultToMemory", "v_mov_b32 v1, v0", "global_load_dword v2, v1, s[0:1]", 0, 0},
        Rule{"VectorSgprToMemory", "v_readfirstlane_b32 s0, v0", "global_load_dword v2, v1, s[0:1]",
             5, 5},
        Rule{"VectorSgprToBuffer", "v_readfirstlane_b32 s3, v0",
             "buffer_load_dword v2, off, s[0:3], 0", 5, 5},
        Rule{"VectorSgprToOtherSgprOfMemory", "v_readfirstlane_b32 s2, v0",
             "global_load_dword v2, v1, s[0:1]", 0, 0},
        Rule{"VectorSgprToScratch", "v_readfirstlane_b32 s0, v0", "scratch_load_dword v2, off, s0",
             5, 5},
        Rule{"VectorSgprBesideThatOfScratch", "v_readfirstlane_b32 s1, v1",
             "scratch_load_dword v2, off, s0", 0, 0},
        Rule{"ScalarSgprToMemory", "s_mov_b32 s0, 0", "global_load_dword v2, v1, s[0:1]", 0, 0},
        Rule{"VccToDivFmas", "v_cmp_eq_f32 vcc, v0, v1", "v_div_fmas_f32 v4, v1, v2, v3", 4, 4},
        Rule{"OtherMaskToDivFmas", "v_cmp_eq_f32 s[0:1], v0, v1", "v_div_fmas_f32 v4, v1, v2, v3",
             0, 0},
        Rule{"SgprToLaneSelect", "v_readfirstlane_b32 s0, v0", "v_readlane_b32 s1, v1, s0", 4, 4},
        Rule{"SgprToLaneSelectOfWrite", "v_readfirstlane_b32 s0, v0", "v_writelane_b32 v2, 0, s0",
             4, 4},
        Rule{"VgprToReadlane", "v_mov_b32 v1, v0", "v_readlane_b32 s1, v1, s0", 0, 1},
        Rule{"VgprToReadfirstlane", "v_mov_b32 v1, v0", "v_readfirstlane_b32 s1, v1", 0, 1},
        Rule{"VgprToDpp", "v_mov_b32 v1, v0", "v_mov_b32_dpp v2, v1 row_shl:1", 2, 2},
        Rule{"OtherVgprToDpp", "v_mov_b32 v3, v0", "v_mov_b32_dpp v2, v1 row_shl:1", 0, 0},
        Rule{"ExecToDpp", "v_cmpx_eq_u32 vcc, v5, v6", "v_mov_b32_dpp v2, v1 row_shl:1", 5, 5},
        Rule{"ExecToReadlane", "v_cmpx_eq_u32 vcc, v5, v6", "v_readlane_b32 s1, v1, s0", 0, 4},
        Rule{"ExecToVector", "v_cmpx_eq_u32 vcc, v5, v6", "v_mov_b32 v1, v0", 0, 0},
        Rule{"SgprToVector", "v_readfirstlane_b32 s0, v0", "v_add_f32 v2, s0, v1", 0, 2},
        Rule{"MaskToSelect", "v_cmp_eq_f32 vcc, v0, v1", "v_cndmask_b32 v2, v0, v1, vcc", 0, 2},
        Rule{"ScalarSgprToVector", "s_mov_b32 s0, 0", "v_add_f32 v2, s0, v1", 0, 0},
        Rule{"TranscendentalToVector", "v_exp_f32 v1, v0", "v_add_f32 v2, v1, v1", 0, 1},
        Rule{"TranscendentalToTranscendental", "v_exp_f32 v1, v0", "v_log_f32 v2, v1", 0, 0}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    OtherRules, WaitStates,
    ::testing::Values(
        Rule{"SgprToValueOfWritelane", "v_readfirstlane_b32 s0, v0", "v_writelane_b32 v2, s0, 3", 0,
             2},
        Rule{"HalfToVector", "v_mad_f16 v1, v0, v0, v0 op_sel:[0,0,0,1]", "v_add_f32 v2, v1, v1", 0,
             1},
        Rule{"DotToVector", "v_dot4_i32_i8 v1, v2, v3, v4", "v_add_u32 v5, v1, v1", 3, 3},
        Rule{"DotToSumOfTheSame", "v_dot4_i32_i8 v1, v2, v3, v4", "v_dot4_i32_i8 v5, v2, v3, v1", 0,
             0},
        Rule{"DotToFactorOfTheSame", "v_dot4_i32_i8 v1, v2, v3, v4", "v_dot4_i32_i8 v5, v1, v3, v4",
             3, 3},
        Rule{"DotOverwritten", "v_dot4_i32_i8 v1, v2, v3, v4", "v_mov_b32 v1, v0", 3, 3},
        Rule{"DotStored", "v_dot4_i32_i8 v1, v2, v3, v4", "global_store_dword v0, v1, s[0:1]", 3,
             3},
        Rule{"DoubleMatrixToFma", "v_mfma_f64_4x4x4f64 v[8:9], v[0:1], v[2:3], v[8:9]",
             "v_fma_f64 v[20:21], v[0:1], v[2:3], v[4:5]", 2, 2},
        Rule{"WideStoreOverwritten", "global_store_dwordx4 v0, v[4:7], s[0:1]", "v_mov_b32 v7, v0",
             1, 2},
        Rule{"WideStoreBesideIt", "global_store_dwordx4 v0, v[4:7], s[0:1]", "v_mov_b32 v8, v0", 0,
             0},
        Rule{"NarrowStoreOverwritten", "global_store_dwordx2 v0, v[8:9], s[0:1]",
             "v_mov_b32 v8, v0", 0, 0},
        Rule{"BufferStoreOverwritten", "buffer_store_dwordx4 v[4:7], off, s[0:3], 0",
             "v_mov_b32 v7, v0", 1, 2},
        Rule{"BufferStoreWithScalarOffset", "buffer_store_dwordx4 v[4:7], off, s[0:3], s4",
             "v_mov_b32 v7, v0", 0, 0},
        Rule{"M0ToMessage", "s_mov_b32 m0, s0", "s_sendmsg sendmsg(MSG_INTERRUPT)", 1, 1},
        Rule{"OtherScalarToMessage", "s_mov_b32 s1, s0", "s_sendmsg sendmsg(MSG_INTERRUPT)", 0, 0},
        Rule{"SetregToGetreg", "s_setreg_imm32_b32 hwreg(HW_REG_MODE), 1",
             "s_getreg_b32 s0, hwreg(HW_REG_MODE)", 2, 2},
        Rule{"SetregToAnother", "s_setreg_imm32_b32 hwreg(HW_REG_MODE), 1",
             "s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)", 0, 0}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    VectorToMatrix, WaitStates,
    ::testing::Values(Rule{"VgprToSourceA", "v_mov_b32 v0, v9",
                           "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]", 2, 2},
                      Rule{"VgprToSourceC", "v_mov_b32 v8, v0",
                           "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]", 2, 2},
                      Rule{"OtherVgpr", "v_mov_b32 v2, v0",
                           "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]", 0, 0},
                      Rule{"Exec", "v_cmpx_eq_u32 vcc, v5, v6",
                           "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]", 4, 4}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    MatrixToSourceC, WaitStates,
    ::testing::Values(
        Rule{"Same2Passes", "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]",
             "v_mfma_f32_4x4x1f32 v[8:11], v2, v3, v[8:11]", 0, 2},
        Rule{"Same8Passes", "v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]",
             "v_mfma_f32_16x16x4f32 v[8:11], v2, v3, v[8:11]", 0, 0},
        Rule{"Same4Passes", "v_mfma_f32_16x16x16_f16 v[8:11], v[0:1], v[2:3], v[8:11]",
             "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[2:3], v[8:11]", -1, 0},
        Rule{"Same16Passes", "v_mfma_f32_32x32x2f32 v[16:31], v0, v1, v[16:31]",
             "v_mfma_f32_32x32x2f32 v[16:31], v2, v3, v[16:31]", 0, 0},
        Rule{"Overlap2Passes", "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]",
             "v_mfma_f32_4x4x1f32 v[10:13], v2, v3, v[10:13]", 2, 2},
        Rule{"Overlap2PassesXdl", "v_mfma_f32_4x4x4f16 v[8:11], v[0:1], v[2:3], v[8:11]",
             "v_mfma_f32_4x4x4f16 v[10:13], v[0:1], v[2:3], v[10:13]", 2, 3},
        Rule{"Overlap4PassesXdl", "v_mfma_f32_16x16x16_f16 v[8:11], v[0:1], v[2:3], v[8:11]",
             "v_mfma_f32_16x16x16_f16 v[10:13], v[4:5], v[2:3], v[10:13]", -1, 5},
        Rule{"OverlapXdlAfterF32", "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]",
             "v_mfma_f32_4x4x4f16 v[10:13], v[0:1], v[2:3], v[10:13]", 2, 0},
        Rule{"Overlap8Passes", "v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]",
             "v_mfma_f32_16x16x4f32 v[10:13], v2, v3, v[10:13]", 8, 8},
        Rule{"Overlap8PassesXdl", "v_mfma_f32_16x16x4f16 v[16:31], v[0:1], v[2:3], v[16:31]",
             "v_mfma_f32_16x16x4f16 v[20:35], v[0:1], v[2:3], v[20:35]", 8, 9},
        Rule{"Overlap16Passes", "v_mfma_f32_32x32x2f32 v[16:31], v0, v1, v[16:31]",
             "v_mfma_f32_32x32x2f32 v[20:35], v2, v3, v[20:35]", 16, 16},
        Rule{"Overlap16PassesXdl", "v_mfma_f32_32x32x4f16 v[32:63], v[0:1], v[2:3], v[32:63]",
             "v_mfma_f32_32x32x4f16 v[36:67], v[0:1], v[2:3], v[36:67]", 16, 17}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    MatrixToSourceAOrB, WaitStates,
    ::testing::Values(
        Rule{"A2Passes", "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]",
             "v_mfma_f32_4x4x1f32 v[12:15], v8, v3, v[12:15]", 5, 4},
        Rule{"B2PassesXdl", "v_mfma_f32_4x4x4f16 v[8:11], v[0:1], v[2:3], v[8:11]",
             "v_mfma_f32_4x4x4f16 v[12:15], v[0:1], v[10:11], v[12:15]", 5, 5},
        Rule{"A4PassesXdl", "v_mfma_f32_16x16x16_f16 v[8:11], v[0:1], v[2:3], v[8:11]",
             "v_mfma_f32_16x16x16_f16 v[12:15], v[8:9], v[2:3], v[12:15]", -1, 7},
        Rule{"B8Passes", "v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]",
             "v_mfma_f32_16x16x4f32 v[12:15], v2, v11, v[12:15]", 11, 10},
        Rule{"A8PassesXdl", "v_mfma_f32_16x16x4f16 v[16:31], v[0:1], v[2:3], v[16:31]",
             "v_mfma_f32_4x4x4f16 v[12:15], v[30:31], v[10:11], v[12:15]", 11, 11},
        Rule{"A16Passes", "v_mfma_f32_32x32x2f32 v[16:31], v0, v1, v[16:31]",
             "v_mfma_f32_4x4x1f32 v[12:15], v31, v3, v[12:15]", 19, 18},
        Rule{"A16PassesXdl", "v_mfma_f32_32x32x4f16 v[32:63], v[0:1], v[2:3], v[32:63]",
             "v_mfma_f32_4x4x4f16 v[12:15], v[32:33], v[10:11], v[12:15]", 19, 19}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    MatrixToOthers, WaitStates,
    ::testing::Values(
        Rule{"VectorRead2Passes", "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]",
             "v_add_f32 v0, v11, v1", 5, 4},
        Rule{"VectorRead2PassesXdl", "v_mfma_f32_4x4x4f16 v[8:11], v[0:1], v[2:3], v[8:11]",
             "v_add_f32 v0, v11, v1", 5, 5},
        Rule{"VectorReadsAnother", "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]",
             "v_add_f32 v0, v12, v1", 0, 0},
        Rule{"VectorRead4PassesXdl", "v_mfma_f32_16x16x16_f16 v[8:11], v[0:1], v[2:3], v[8:11]",
             "v_add_f32 v0, v11, v1", -1, 7},
        Rule{"VectorRead8Passes", "v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]",
             "v_add_f32 v0, v11, v1", 11, 10},
        Rule{"VectorOverwrite8Passes", "v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]",
             "v_mov_b32 v8, v0", 11, 10},
        Rule{"VectorRead16Passes", "v_mfma_f32_32x32x2f32 v[16:31], v0, v1, v[16:31]",
             "v_add_f32 v0, v31, v1", 19, 18},
        Rule{"VectorRead16PassesXdl", "v_mfma_f32_32x32x4f16 v[32:63], v[0:1], v[2:3], v[32:63]",
             "v_add_f32 v0, v63, v1", 19, 19},
        Rule{"Store8Passes", "v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]",
             "global_store_dword v0, v8, s[0:1]", 11, 10},
        Rule{"LdsWrite16PassesXdl", "v_mfma_f32_32x32x4f16 v[32:63], v[0:1], v[2:3], v[32:63]",
             "ds_write_b32 v0, v33", 19, 19},
        Rule{"OverwriteC2Passes", "v_mfma_f32_4x4x4f16 v[8:11], v[0:1], v[2:3], v[12:15]",
             "v_mov_b32 v12, v0", 1, 1},
        Rule{"OverwriteC4Passes", "v_mfma_f32_16x16x16_f16 v[8:11], v[0:1], v[2:3], v[12:15]",
             "v_mov_b32 v12, v0", -1, 3},
        Rule{"OverwriteC8Passes", "v_mfma_f32_16x16x4f16 v[16:31], v[0:1], v[2:3], v[32:47]",
             "v_mov_b32 v32, v0", 7, 7},
        Rule{"OverwriteC16Passes", "v_mfma_f32_32x32x4f16 v[32:63], v[0:1], v[2:3], v[64:95]",
             "v_mov_b32 v64, v0", 15, 15},
        Rule{"OverwriteCOfF32", "v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[12:15]",
             "v_mov_b32 v12, v0", 7, 0},
        Rule{"OverwriteA", "v_mfma_f32_4x4x4f16 v[8:11], v[0:1], v[2:3], v[12:15]",
             "v_mov_b32 v0, v20", 0, 0}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    DoubleMatrix, WaitStates,
    ::testing::Values(Rule{"LargeToSameC", "v_mfma_f64_16x16x4f64 v[8:15], v[0:1], v[2:3], v[8:15]",
                           "v_mfma_f64_16x16x4f64 v[8:15], v[4:5], v[2:3], v[8:15]", 0, 0},
                      Rule{"LargeToOverlappingC",
                           "v_mfma_f64_16x16x4f64 v[8:15], v[0:1], v[2:3], v[8:15]",
                           "v_mfma_f64_16x16x4f64 v[10:17], v[4:5], v[2:3], v[10:17]", 9, 9},
                      Rule{"LargeToA", "v_mfma_f64_16x16x4f64 v[8:15], v[0:1], v[2:3], v[8:15]",
                           "v_mfma_f64_16x16x4f64 v[16:23], v[8:9], v[2:3], v[16:23]", 11, 11},
                      Rule{"LargeToVector",
                           "v_mfma_f64_16x16x4f64 v[8:15], v[0:1], v[2:3], v[8:15]",
                           "v_add_f64 v[0:1], v[14:15], v[2:3]", 11, 11},
                      Rule{"LargeToStore", "v_mfma_f64_16x16x4f64 v[8:15], v[0:1], v[2:3], v[8:15]",
                           "global_store_dwordx2 v0, v[8:9], s[0:1]", 18, 18},
                      Rule{"SmallToSameC", "v_mfma_f64_4x4x4f64 v[8:9], v[0:1], v[2:3], v[8:9]",
                           "v_mfma_f64_4x4x4f64 v[8:9], v[4:5], v[2:3], v[8:9]", 4, 4},
                      Rule{"SmallToPartOfC", "v_mfma_f64_4x4x4f64 v[8:9], v[0:1], v[2:3], v[8:9]",
                           "v_mfma_f64_16x16x4f64 v[8:15], v[4:5], v[2:3], v[8:15]", 4, 4},
                      Rule{"SmallToB", "v_mfma_f64_4x4x4f64 v[8:9], v[0:1], v[2:3], v[8:9]",
                           "v_mfma_f64_4x4x4f64 v[10:11], v[4:5], v[8:9], v[10:11]", 6, 6},
                      Rule{"SmallToVector", "v_mfma_f64_4x4x4f64 v[8:9], v[0:1], v[2:3], v[8:9]",
                           "v_add_f64 v[0:1], v[8:9], v[2:3]", 6, 6},
                      Rule{"SmallToStore", "v_mfma_f64_4x4x4f64 v[8:9], v[0:1], v[2:3], v[8:9]",
                           "global_store_dwordx2 v0, v[8:9], s[0:1]", 9, 9}),
    name_of);

/// Wait states that lie between two instructions in whole waves: `fillers` independent ones.
std::uint64_t cycles_with_fillers(const TimingSpec& spec, const char* writer, unsigned fillers,
                                  const char* user) {
  Script script(spec);
  script.then(writer).then("s_nop 0", fillers).then(user).then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  return unit.between(0, 0, fillers + 1);
}

TEST(WholeWave, SoManyNopsAsTheRuleAsksCostNothingMore) {
  // D of 8 passes, read by the VALU: 11 wait states on gfx90a, so 12 slots in all.
  const char* const writer = "v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]";
  const char* const user = "v_add_f32 v0, v11, v1";
  EXPECT_EQ(cycles_with_fillers(spec_of("mi210"), writer, 0, user), 48u);
  EXPECT_EQ(cycles_with_fillers(spec_of("mi210"), writer, 11, user), 48u);
  EXPECT_EQ(cycles_with_fillers(spec_of("mi210"), writer, 12, user), 52u);
}

TEST(WholeWave, OneNopOfManyWaitStatesIsThatLong) {
  const TimingSpec& spec = spec_of("mi300x");
  for (const auto& [nop, cycles] : std::vector<std::pair<const char*, std::uint64_t>>{
           {"s_nop 0", 4}, {"s_nop 1", 8}, {"s_nop 7", 32}, {"s_nop 15", 64}}) {
    Script script(spec);
    script.then("v_mov_b32 v1, v0").then(nop).then("v_mov_b32 v2, v0").then("s_endpgm");
    OneUnit unit(spec);
    unit.run({&script});
    EXPECT_EQ(unit.between(0, 1, 2), cycles) << nop;
  }
}

}  // namespace
}  // namespace wavetank::timing::testing
