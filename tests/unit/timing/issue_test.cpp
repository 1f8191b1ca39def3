// How often a SIMD and a compute unit issue: the rate of each class of vector instruction, one
// instruction of each kind in a cycle, the oldest wave first. Sources: LLVM SISchedule.td (llvm-mca
// prints the passes), rocprofiler-compute "Pipeline descriptions", tingqli/pyhip measurements.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "scripted_wave.hpp"

namespace wavetank::timing::testing {
namespace {

const std::vector<const char*> kDevices = {"mi210", "mi250x", "mi300x", "mi300a"};

/// Cycles from one to the next of a run of the same instruction, in one wave.
std::uint64_t cycles_of(const TimingSpec& spec, const char* text) {
  Script script(spec);
  script.then(text, 9).then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  const std::uint64_t cycles = unit.between(0, 0, 8);
  EXPECT_EQ(cycles % 8, 0u) << text;
  return cycles / 8;
}

struct Rated {
  const char* text;
  std::uint64_t cycles;
};

TEST(VectorRate, IsThatOfTheClassOnEveryDevice) {
  const std::vector<Rated> all = {{"v_add_f32 v1, v1, v2", 4},
                                  {"v_mov_b32 v1, v0", 4},
                                  {"v_cndmask_b32 v2, v0, v1, vcc", 4},
                                  {"v_readfirstlane_b32 s0, v0", 4},
                                  {"v_fma_f64 v[0:1], v[0:1], v[2:3], v[4:5]", 4},
                                  {"v_lshlrev_b64 v[0:1], v2, v[0:1]", 4},
                                  {"v_mul_lo_u32 v1, v1, v2", 4},
                                  {"v_mul_hi_u32 v1, v1, v2", 4},
                                  {"v_cvt_f32_f64 v1, v[2:3]", 4},
                                  {"v_cvt_f64_i32 v[0:1], v2", 4},
                                  {"v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]", 4},
                                  {"v_pk_fma_f16 v0, v1, v2, v3", 4},
                                  {"v_accvgpr_read_b32 v0, a0", 4},
                                  {"v_cvt_f32_i32 v1, v2", 16},
                                  {"v_cvt_f16_f32 v1, v2", 16},
                                  {"v_exp_f32 v1, v2", 16},
                                  {"v_rcp_f32 v1, v2", 16},
                                  {"v_sqrt_f32 v1, v2", 16},
                                  {"v_sin_f16 v1, v2", 16},
                                  {"v_rcp_f64 v[0:1], v[2:3]", 16},
                                  {"v_sqrt_f64 v[0:1], v[2:3]", 16}};
  for (const char* const device : kDevices) {
    for (const Rated& one : all) {
      EXPECT_EQ(cycles_of(spec_of(device), one.text), one.cycles) << device << ": " << one.text;
    }
  }
}

TEST(VectorRate, OfAScalarInstructionIsOneInFourCyclesForAWave) {
  EXPECT_EQ(cycles_of(spec_of("mi210"), "s_add_u32 s0, s0, s1"), 4u);
}

TEST(VectorRate, AnEightByteInstructionOffAnEightByteBoundaryTakesAFifthCycle) {
  for (const auto& [offset, cycles] : std::vector<std::pair<unsigned, unsigned>>{{0, 4}, {4, 5}}) {
    Script script(spec_of("mi300x"));
    script.then("v_mov_b32 v1, v0").then("v_fma_f32 v1, v1, v2, v3").at(offset);
    script.then("v_mov_b32 v1, v0").then("s_endpgm");
    OneUnit unit(spec_of("mi300x"));
    unit.run({&script});
    EXPECT_EQ(unit.between(0, 1, 2), cycles) << "at byte " << offset;
  }
  Script script(spec_of("mi300x"));
  script.then("v_mov_b32 v1, v0").then("v_mov_b32 v1, v0").at(4);
  script.then("v_mov_b32 v1, v0").then("s_endpgm");
  OneUnit unit(spec_of("mi300x"));
  unit.run({&script});
  EXPECT_EQ(unit.between(0, 1, 2), 4u) << "four bytes lie on no boundary that counts";
}

TEST(VectorRate, SimdsThatWantTheScalarUnitAtOnceGetItInTurns) {
  constexpr unsigned kCount = 256, kSimds = 4, kWavesPerSimd = 8;
  const TimingSpec& spec = spec_of("mi300x");
  Script script(spec);
  for (unsigned i = 0; i < kCount; ++i) script.then("s_add_u32 s0, s0, s1").at(0);
  script.then("s_endpgm");
  OneUnit unit(spec);
  unit.run(std::vector<const Script*>(kSimds * kWavesPerSimd, &script));
  std::array<std::uint64_t, kSimds> ended = {};
  for (unsigned wave = 0; wave < kSimds * kWavesPerSimd; ++wave) {
    std::uint64_t& end = ended[wave % kSimds];
    end = std::max(end, unit.issued(wave, kCount - 1));
  }
  const auto [first, last] = std::ranges::minmax(ended);
  EXPECT_GE(last, kCount * kSimds * kWavesPerSimd - 1) << "one in a cycle, for all of them";
  EXPECT_LE(last - first, kSimds) << "none of them starves";
}

/// When two waves of one SIMD have issued `count` instructions each, if each takes its own turn.
std::uint64_t together(const TimingSpec& spec, const char* first, const char* second,
                       unsigned count) {
  Script a(spec), b(spec);
  a.then(first, count).then("s_endpgm");
  b.then(second, count).then("s_endpgm");
  OneUnit unit(spec);
  unit.run_on_one_simd({&a, &b});
  return std::max(unit.issued(0, count - 1), unit.issued(1, count - 1)) + 4;
}

/// Cycles for each instruction of the slowest of `waves` on one SIMD, all of whose instructions
/// lie at byte `offset` of the code.
double slowest_of(unsigned waves, const char* text, std::uint64_t offset) {
  constexpr unsigned kCount = 256;
  const TimingSpec& spec = spec_of("mi300x");
  Script script(spec);
  for (unsigned i = 0; i < kCount; ++i) script.then(text).at(offset);
  script.then("s_endpgm");
  OneUnit unit(spec);
  unit.run_on_one_simd(std::vector<const Script*>(waves, &script));
  std::uint64_t last = 0;
  for (unsigned wave = 0; wave < waves; ++wave) {
    last = std::max(last, unit.issued(wave, kCount - 1));
  }
  return static_cast<double>(last) / kCount;
}

TEST(VectorRate, TheFifthCycleDelaysItsWaveAndNotTheOthers) {
  const char* const text = "v_fma_f32 v1, v1, 1.0, 1.0";
  EXPECT_NEAR(slowest_of(1, text, 4), 5, 0.1);
  EXPECT_NEAR(slowest_of(2, text, 4), 8.75, 0.1) << "measured: 8.7548";
  EXPECT_NEAR(slowest_of(2, text, 0), 8, 0.1);
}

TEST(DualIssue, OfThreeWavesTheYoungestWaitsForTheOthersPair) {
  EXPECT_NEAR(slowest_of(3, "v_fma_f32 v1, v1, v2, v3", 0), 8, 0.1);
}

TEST(DualIssue, Cdna3IssuesTwoAllVectorF32OperationsOfTwoWavesAtOnce) {
  const char* const fma = "v_fma_f32 v1, v1, v2, v3";
  EXPECT_EQ(together(spec_of("mi300x"), fma, fma, 16), 64u);
  EXPECT_EQ(together(spec_of("mi300a"), fma, fma, 16), 64u);
  EXPECT_EQ(together(spec_of("mi210"), fma, fma, 16), 128u);
  EXPECT_EQ(together(spec_of("mi250x"), fma, fma, 16), 128u);
}

TEST(DualIssue, AdditionsAndMultiplicationsPairToo) {
  const TimingSpec& spec = spec_of("mi300x");
  for (const char* const text : {"v_add_f32 v1, v1, v2", "v_mul_f32 v1, v1, v2",
                                 "v_add_f16 v1, v1, v2", "v_mul_f16 v1, v1, v2"}) {
    EXPECT_EQ(together(spec, text, text, 16), 64u) << text;
  }
  EXPECT_EQ(together(spec, "v_add_f32 v1, v1, v2", "v_fma_f32 v1, v1, v2, v3", 16), 64u);
}

TEST(DualIssue, TwoF64AdditionsPairButNotFmas) {
  const TimingSpec& spec = spec_of("mi300x");
  const char* const add = "v_add_f64 v[0:1], v[0:1], v[2:3]";
  EXPECT_EQ(together(spec, add, add, 16), 64u);
  const char* const fma = "v_fma_f64 v[0:1], v[0:1], v[2:3], v[4:5]";
  EXPECT_EQ(together(spec, fma, fma, 16), 128u);
}

TEST(DualIssue, AScalarOperandOrAnotherTypeTakesATurnOfItsOwn) {
  const TimingSpec& spec = spec_of("mi300x");
  const char* const fma = "v_fma_f32 v1, v1, v2, v3";
  EXPECT_EQ(together(spec, fma, "v_fma_f32 v1, v1, v2, s3", 16), 128u);
  EXPECT_EQ(together(spec, fma, "v_fma_f64 v[0:1], v[0:1], v[2:3], v[4:5]", 16), 128u);
  EXPECT_EQ(together(spec, fma, "v_lshlrev_b64 v[0:1], v2, v[0:1]", 16), 128u);
}

TEST(DualIssue, OneWaveAloneDoesNotPairWithItself) {
  EXPECT_EQ(cycles_of(spec_of("mi300x"), "v_fma_f32 v1, v1, v2, v3"), 4u);
}

TEST(Scheduler, TheOldestWaveGoesFirst) {
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  script.then("v_add_f32 v1, v1, v2", 8).then("s_endpgm");
  OneUnit unit(spec);
  unit.run_on_one_simd({&script, &script});
  EXPECT_EQ(unit.issued(0, 7), 28u);
  EXPECT_EQ(unit.issued(1, 0), 32u);
  EXPECT_EQ(unit.issued(1, 7), 60u);
}

TEST(Scheduler, AWaveOfHigherPriorityOvertakesAnOlderOne) {
  const TimingSpec& spec = spec_of("mi210");
  Script older(spec), younger(spec);
  older.then("s_nop 0", 2).then("v_add_f32 v1, v1, v2", 8).then("s_endpgm");
  younger.then("s_setprio 3").then("s_nop 0").then("v_add_f32 v1, v1, v2", 4);
  younger.then("s_setprio 0").then("v_add_f32 v1, v1, v2", 4).then("s_endpgm");
  OneUnit unit(spec);
  unit.run_on_one_simd({&older, &younger});
  EXPECT_LT(unit.issued(1, 5), unit.issued(0, 2)) << "as long as it has priority 3";
  EXPECT_GT(unit.issued(1, 7), unit.issued(0, 9)) << "and no longer";
}

TEST(Scheduler, IssuesOneInstructionOfEachKindInACycleFromDifferentWaves) {
  const TimingSpec& spec = spec_of("mi210");
  const std::vector<const char*> kinds = {
      "v_add_f32 v1, v1, v2", "s_add_u32 s0, s0, s1", "global_load_dword v2, v1, s[0:1]",
      "ds_write_b32 v0, v1",  "s_cbranch_scc0 0",     "s_nop 0"};
  std::vector<Script> scripts;
  for (const char* const kind : kinds) {
    Script script(spec);
    script.then("s_nop 0").access(kind, [](unsigned lane) { return 4 * lane; }).then("s_endpgm");
    scripts.push_back(std::move(script));
  }
  std::vector<const Script*> waves;
  for (const Script& script : scripts) waves.push_back(&script);
  OneUnit unit(spec);
  unit.run_on_one_simd(waves);
  for (unsigned i = 0; i < kinds.size(); ++i) EXPECT_EQ(unit.issued(i, 1), 4u) << kinds[i];
}

TEST(Scheduler, TwoVectorInstructionsOfOneSimdTakeTurnsAndOfTwoSimdsDoNot) {
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  script.then("v_add_f32 v1, v1, v2").then("s_endpgm");
  OneUnit same(spec), other(spec);
  same.run_on_one_simd({&script, &script});
  EXPECT_EQ(same.issued(1, 0), 4u);
  other.run({&script, &script});
  EXPECT_EQ(other.issued(1, 0), 0u);
}

TEST(Scheduler, TheScalarUnitServesOneWaveOfTheComputeUnitInACycle) {
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  script.then("s_add_u32 s0, s0, s1").then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script, &script, &script, &script});
  std::uint64_t sum = 0;
  for (unsigned wave = 0; wave < 4; ++wave) sum += unit.issued(wave, 0);
  EXPECT_EQ(sum, 0u + 1 + 2 + 3);
}

TEST(Sleep, LastsSixtyFourCyclesForEachUnit) {
  for (const auto& [sleep, cycles] : std::vector<std::pair<const char*, std::uint64_t>>{
           {"s_sleep 1", 64}, {"s_sleep 2", 128}, {"s_sleep 127", 8128}}) {
    Script script(spec_of("mi210"));
    script.then(sleep).then("s_nop 0").then("s_endpgm");
    OneUnit unit(spec_of("mi210"));
    unit.run({&script});
    EXPECT_EQ(unit.between(0, 0, 1), cycles) << sleep;
  }
}

TEST(Branch, KeepsTheWaveForItsLatencyAndATakenOneFetchesAgain) {
  const TimingSpec& spec = spec_of("mi210");
  Script falls_through(spec), jumps(spec);
  falls_through.then("s_nop 0").then("s_cbranch_scc0 0").then("s_nop 0").then("s_endpgm");
  jumps.then("s_nop 0").then("s_cbranch_scc0 0").taken().then("s_nop 0").then("s_endpgm");
  OneUnit not_taken(spec), taken(spec);
  not_taken.run({&falls_through});
  taken.run({&jumps});
  EXPECT_EQ(not_taken.between(0, 1, 2), spec.issue.branch_latency);
  EXPECT_EQ(taken.between(0, 1, 2), spec.issue.branch_latency + spec.fetch.hit_latency);
}

TEST(Fetch, ColdCodeArrivesAfterAMissAndTheLineBehindItIsAlreadyAsked) {
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  script.then("s_nop 0").at(60).then("s_nop 0").at(64).then("s_nop 0").at(68).then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  EXPECT_EQ(unit.between(0, 0, 1), 4u) << "the second line came with the first";
  EXPECT_EQ(unit.between(0, 1, 2), 4u);
}

TEST(Barrier, OpensItsLatencyAfterTheLastArrival) {
  for (const char* const device : {"mi210", "mi300x"}) {
    const TimingSpec& spec = spec_of(device);
    Script early(spec), late(spec);
    early.then("s_nop 0").then("s_barrier").then("s_nop 0").then("s_endpgm");
    late.then("s_nop 0", 20).then("s_barrier").then("s_nop 0").then("s_endpgm");
    OneUnit unit(spec);
    unit.run({&early, &late});
    const std::uint64_t opened = unit.issued(1, 20) + spec.issue.barrier_latency;
    EXPECT_EQ(unit.issued(0, 2), opened) << device;
    EXPECT_EQ(unit.issued(1, 21), opened) << device;
  }
}

TEST(Barrier, DoesNotWaitForAWaveThatHasEnded) {
  const TimingSpec& spec = spec_of("mi210");
  Script waits(spec), ends(spec);
  waits.then("s_nop 0").then("s_barrier").then("s_nop 0").then("s_endpgm");
  ends.then("s_nop 0", 20).then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&waits, &ends});
  EXPECT_EQ(unit.issued(0, 2), unit.issued(1, 20) + 4 + spec.issue.barrier_latency);
}

TEST(ScalarMemoryCounters, ALoadCountsTwoAndACacheOperationFour) {
  Script script(spec_of("mi210"));
  script.access("s_load_dwordx2 s[0:1], s[2:3], 0x0", [](unsigned) { return 4096u; });
  script.then("s_dcache_inv").then("s_waitcnt lgkmcnt(0)").then("s_endpgm");
  OneUnit unit(spec_of("mi210"));
  unit.run({&script});
  EXPECT_EQ(unit.unit().counters()[CuCounter::kSqInstsSmem], 2u);
  EXPECT_EQ(unit.unit().counters()[CuCounter::kSqInstsSmemNorm], 2u + 4u);
}

}  // namespace
}  // namespace wavetank::timing::testing
