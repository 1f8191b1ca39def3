// Changes of single units: what a compute unit does without narrow accesses, uniform loads by
// lanes, or the arithmetic of some code.
#include <gtest/gtest.h>

#include <functional>

#include "scripted_wave.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing::testing {
namespace {

constexpr std::uint64_t kBase = 1 << 20;
constexpr const char* kLoad = "global_load_dword v2, v1, s[0:1]";
constexpr const char* kWait = "s_waitcnt vmcnt(0)";

LaneAddress rows(std::uint64_t from) {
  return [=](unsigned lane) { return kBase + from + 4 * lane; };
}

/// Cycles from one issue of a script to another.
std::uint64_t between(const Script& script, const TimingSpec& spec, unsigned first,
                      unsigned second) {
  OneUnit unit(spec);
  unit.run({&script});
  return unit.between(0, first, second);
}

/// Cycles of a script, from its first issue to the last.
std::uint64_t cycles_of(const Script& script, const TimingSpec& spec) {
  return between(script, spec, 0, static_cast<unsigned>(script.lines().size()) - 1);
}

/// MI210 where narrow accesses are joined.
TimingSpec wide_spec() {
  TimingSpec spec = spec_of("mi210");
  spec.vmem.joins_narrow = true;
  return spec;
}

/// Which addresses a load has in each turn of its loop.
using Turns = std::function<LaneAddress(unsigned turn)>;

/// Cycles of a loop with a load that each turn waits for, and then with something else.
std::uint64_t cycles_of_loop(const Turns& turns, const TimingSpec& spec,
                             const char* behind = nullptr) {
  constexpr unsigned kTurns = 8;
  Script script(spec);
  for (unsigned turn = 0; turn < kTurns; ++turn) {
    script.access(kLoad, turns(turn)).again(0);
    script.then(kWait).again(1);
    if (behind != nullptr) script.then(behind).again(2);
  }
  script.then("s_endpgm");
  return cycles_of(script, spec);
}

TEST(WideAccesses, FourTurnsOfADwordByRowsWaitOnce) {
  const TimingSpec narrow = spec_of("mi210");
  const TimingSpec wide = wide_spec();
  const Turns by_rows = [](unsigned turn) { return rows(std::uint64_t{4096} * turn); };
  EXPECT_LT(cycles_of_loop(by_rows, wide), cycles_of_loop(by_rows, narrow) / 2);
}

TEST(WideAccesses, WhatDoesNotLieSideBySideIsNotJoined) {
  const TimingSpec narrow = spec_of("mi210");
  const TimingSpec wide = wide_spec();
  const Turns columns = [](unsigned turn) -> LaneAddress {
    return [=](unsigned lane) { return kBase + 4 * turn + std::uint64_t{512} * lane; };
  };
  EXPECT_EQ(cycles_of_loop(columns, wide), cycles_of_loop(columns, narrow));
  // First, second and last lane lie as in a row; one in between does not.
  const Turns one_astray = [](unsigned turn) -> LaneAddress {
    return [=](unsigned lane) { return kBase + 4096 * turn + (lane == 30 ? 0 : 4 * lane); };
  };
  EXPECT_EQ(cycles_of_loop(one_astray, wide), cycles_of_loop(one_astray, narrow));
}

/// Cycles of loads of the same row with something between them.
std::uint64_t cycles_of_loads_around(const char* between, const TimingSpec& spec) {
  return cycles_of_loop([](unsigned) { return rows(0); }, spec, between);
}

TEST(WideAccesses, NothingIsJoinedAcrossAFence) {
  const TimingSpec narrow = spec_of("mi210");
  const TimingSpec wide = wide_spec();
  EXPECT_LT(cycles_of_loads_around("s_nop 0", wide), cycles_of_loads_around("s_nop 0", narrow));
  EXPECT_EQ(cycles_of_loads_around("buffer_wbinvl1_vol", wide),
            cycles_of_loads_around("buffer_wbinvl1_vol", narrow));
}

TEST(FreeFences, LeaveTheL1WhatItHas) {
  const TimingSpec spec = spec_of("mi210");
  TimingSpec free = spec;
  free.fence.costs = false;
  EXPECT_LT(cycles_of_loads_around("buffer_wbinvl1_vol", free),
            cycles_of_loads_around("buffer_wbinvl1_vol", spec));
  EXPECT_EQ(cycles_of_loads_around("s_nop 0", free), cycles_of_loads_around("s_nop 0", spec));
}

/// Cycles from a store that is waited for to what stands behind the wait and `then`.
std::uint64_t cycles_behind_a_store(const char* then, const TimingSpec& spec) {
  Script script(spec);
  script.access("global_store_dword v1, v2, s[0:1]", rows(0)).then(kWait).then(then);
  script.then("s_endpgm");
  return between(script, spec, 0, 2);
}

TEST(FreeFences, LeaveNoWaitForStoresBeforeThemAndEveryOther) {
  const TimingSpec spec = spec_of("mi210");
  TimingSpec free = spec;
  free.fence.costs = false;
  EXPECT_GT(cycles_behind_a_store("buffer_wbinvl1_vol", spec), 100u);
  EXPECT_LT(cycles_behind_a_store("buffer_wbinvl1_vol", free), 20u);
  EXPECT_EQ(cycles_behind_a_store("s_nop 0", free), cycles_behind_a_store("s_nop 0", spec));
}

TEST(FreeFences, LoadsBeforeThemAreStillWaitedFor) {
  TimingSpec free = spec_of("mi210");
  free.fence.costs = false;
  Script script(free);
  script.access(kLoad, rows(0)).then(kWait).then("buffer_wbinvl1_vol").then("s_endpgm");
  EXPECT_GT(between(script, free, 0, 2), free.vmem.hit_latency);
}

TEST(DoublesAsFloats, ConvertForNothingAndComputeAtTheRateOfFloats) {
  const TimingSpec spec = spec_of("mi210");
  TimingSpec as_f32 = spec;
  as_f32.issue.f64_as_f32 = true;
  const auto cycles = [&](const TimingSpec& on, const char* text) {
    Script script(on);
    script.then("s_nop 0").then(text, 100).then("s_nop 0").then("s_endpgm");
    return cycles_of(script, on);
  };
  EXPECT_GE(cycles(spec, "v_cvt_f64_f32 v[0:1], v2"),
            cycles(as_f32, "v_cvt_f64_f32 v[0:1], v2") + 4 * 100);
  EXPECT_LE(cycles(as_f32, "v_cvt_f32_f64 v2, v[0:1]"), 20u);
  EXPECT_EQ(cycles(as_f32, "v_cvt_f32_i32 v1, v2"), cycles(spec, "v_cvt_f32_i32 v1, v2"))
      << "no double is converted";
}

TEST(InstructionsAtOnce, AreThereBehindATakenBranch) {
  const TimingSpec spec = spec_of("mi210");
  TimingSpec at_once = spec;
  at_once.fetch.at_once = true;
  Script jumps(spec);
  jumps.then("s_cbranch_scc0 0").taken().then("s_nop 0").then("s_endpgm");
  EXPECT_EQ(between(jumps, at_once, 0, 1), spec.issue.branch_latency);
}

TEST(CachedInstructions, AJumpCostsAHitAndNoMiss) {
  const TimingSpec spec = spec_of("mi210");
  TimingSpec cached = spec;
  cached.fetch.misses = false;
  Script far(spec);
  far.then("s_nop 0").then("s_branch 0").taken().then("s_nop 0").at(8192).then("s_endpgm");
  EXPECT_GT(between(far, spec, 1, 2), between(far, cached, 1, 2) + spec.fetch.miss_latency / 2);
  EXPECT_GE(between(far, cached, 1, 2), spec.fetch.hit_latency);
}

TEST(UniformLoads, ComeAsSoonAsTheScalarCacheAnswers) {
  const TimingSpec vector = spec_of("mi210");
  TimingSpec scalar = vector;
  scalar.vmem.uniform_is_scalar = true;
  const Turns same = [](unsigned) -> LaneAddress { return [](unsigned) { return kBase; }; };
  const Turns different = [](unsigned) { return rows(0); };
  EXPECT_LT(cycles_of_loop(same, scalar), cycles_of_loop(same, vector));
  EXPECT_EQ(cycles_of_loop(different, scalar), cycles_of_loop(different, vector));
}

TEST(FreeCode, ItsArithmeticTakesNoTimeAndItsLoadsDo) {
  TimingSpec spec = spec_of("mi210");
  Script script(spec);
  script.then("s_nop 0");
  script.then("v_add_f32 v2, v1, v1", 100);
  script.access(kLoad, rows(0));
  script.then(kWait);
  script.then("s_endpgm");
  const std::uint64_t before = cycles_of(script, spec);
  spec.issue.free_code.push_back({0, 64});
  const std::uint64_t after = cycles_of(script, spec);
  const std::uint64_t line_on_its_bus = 8;  // by which the load may meet it earlier or later
  EXPECT_GE(before + line_on_its_bus, after + 4 * 99);
  EXPECT_GT(after, spec.vmem.hit_latency) << "the load is no arithmetic";
}

}  // namespace
}  // namespace wavetank::timing::testing
