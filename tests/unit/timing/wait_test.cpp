// What a wave waits for: the latencies of loads as a dependent chain sees them, the counters that
// s_waitcnt looks at, and the limits of what may be under way. Sources: RRZE-HPC/gpu-benches
// gpu-latency, caps-tum/mt4g, tingqli/pyhip.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "scripted_wave.hpp"

namespace wavetank::timing::testing {
namespace {

LaneAddress contiguous(std::uint64_t base, unsigned bytes) {
  return [=](unsigned lane) { return base + std::uint64_t{bytes} * lane; };
}
LaneAddress everywhere(std::uint64_t address) {
  return [=](unsigned) { return address; };
}

constexpr const char* kLoad = "global_load_dword v2, v1, s[0:1]";
constexpr const char* kWaitAll = "s_waitcnt vmcnt(0)";
/// From a load over a wait that is met to what is behind: the slots of the two.
constexpr std::uint64_t kNoWait = 8;
constexpr const char* kWaitLgkm = "s_waitcnt lgkmcnt(0)";

/// Cycles from the second of two dependent accesses to the instruction behind its wait.
std::uint64_t second_latency(const TimingSpec& spec, const char* text, const char* wait,
                             LaneAddress address) {
  Script script(spec);
  for (unsigned i = 0; i < 2; ++i) script.access(text, address).then(wait);
  script.then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  return unit.between(0, 2, 4);
}

// caps-tum/mt4g: 124 and 116 cycles from clock to clock, of which the load takes 4 to issue.
TEST(Latency, OfALoadThatHitsTheVectorL1) {
  EXPECT_EQ(second_latency(spec_of("mi210"), kLoad, kWaitAll, everywhere(4096)), 120u);
  EXPECT_EQ(second_latency(spec_of("mi300x"), kLoad, kWaitAll, everywhere(4096)), 112u);
}

// RRZE-HPC/gpu-benches gpu-latency: a load of 64 bits takes 125 and 118 cycles with its loop.
TEST(Latency, OfEachFurtherRegisterIsThatOfAllItsLanes) {
  const auto latency = [](const char* text) {
    return second_latency(spec_of("mi210"), text, kWaitAll, everywhere(4096));
  };
  EXPECT_EQ(latency("global_load_ubyte v1, v[2:3], off"), 120u);
  EXPECT_EQ(latency("global_load_dwordx2 v[4:5], v[2:3], off"), 124u);
  EXPECT_EQ(latency("global_load_dwordx4 v[4:7], v[2:3], off"), 132u);
}

TEST(Latency, OfALoadThatTheL1MustNotAnswer) {
  EXPECT_EQ(second_latency(spec_of("mi210"), "global_load_dword v2, v1, s[0:1] glc", kWaitAll,
                           everywhere(4096)),
            247u);
}

TEST(Latency, OfAScalarLoadThatHitsItsCache) {
  for (const char* const device : {"mi210", "mi300x"}) {
    const char* const load = "s_load_dwordx2 s[0:1], s[2:3], 0x0";
    EXPECT_EQ(second_latency(spec_of(device), load, kWaitLgkm, everywhere(4096)), 44u);
  }
}

TEST(Latency, OfLdsReadsByWidth) {
  const auto latency = [](const char* device, const char* text, unsigned bytes) {
    return second_latency(spec_of(device), text, kWaitLgkm, contiguous(0, bytes));
  };
  EXPECT_EQ(latency("mi210", "ds_read_b32 v1, v0", 4), 44u);
  EXPECT_EQ(latency("mi300x", "ds_read_b32 v1, v0", 4), 48u);
  EXPECT_EQ(latency("mi300x", "ds_read_b128 v[4:7], v0", 16), 64u);
}

// Both loads are waited for at once. The L1 answers in order: the one that hits comes right behind
// the one that misses.
TEST(Waits, AreForTheSakeOfTheAccessThatEndsNext) {
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  script.access(kLoad, everywhere(4096)).then(kWaitAll);
  script.access("global_load_dword v3, v1, s[0:1]", everywhere(1 << 20));
  script.access("global_load_dword v4, v1, s[0:1]", everywhere(4096)).then(kWaitAll);
  script.then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  const auto& tallies = unit.ledger().instructions();
  const auto waited = [&](unsigned step) {
    const profile::ReasonCycles& cycles = tallies.at(step).cycles;
    return cycles[static_cast<std::size_t>(profile::Reason::kWaitVectorMemory)];
  };
  EXPECT_EQ(tallies.at(0).awaited_cycles, waited(1));
  EXPECT_EQ(tallies.at(2).awaited_cycles + tallies.at(3).awaited_cycles, waited(4));
  EXPECT_GT(tallies.at(2).awaited_cycles, 500u);
  EXPECT_LE(tallies.at(3).awaited_cycles, kNoWait);
}

TEST(Waits, OfTheLdsAreForItsAccess) {
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  script.access("ds_read_b32 v1, v0", contiguous(0, 4)).then(kWaitLgkm).then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  EXPECT_GT(unit.ledger().instructions().at(0).awaited_cycles, 0u);
}

TEST(Latency, OfAnLdsReadGrowsWithItsConflicts) {
  const TimingSpec& spec = spec_of("mi210");
  const auto of_stride = [&](unsigned dwords) {
    return second_latency(spec, "ds_read_b32 v1, v0", kWaitLgkm, contiguous(0, 4 * dwords));
  };
  EXPECT_EQ(of_stride(1), 44u);
  EXPECT_EQ(of_stride(2), 44u + 2);
  EXPECT_EQ(of_stride(4), 44u + 2 * 3);
  EXPECT_EQ(of_stride(32), 44u + 2 * 31);
}

/// Two cold loads from different places, then a wait; gives the cycles from the second load to what
/// is behind the wait.
std::uint64_t wait_after_two(const char* wait) {
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  script.access(kLoad, contiguous(1 << 20, 4)).access(kLoad, contiguous(1 << 21, 64));
  script.then(wait).then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  return unit.between(0, 1, 3);
}

TEST(WaitCount, ReleasesWhenAtMostSoManyAreUnderWay) {
  const std::uint64_t two = wait_after_two("s_waitcnt vmcnt(2)");
  const std::uint64_t one = wait_after_two("s_waitcnt vmcnt(1)");
  const std::uint64_t none = wait_after_two("s_waitcnt vmcnt(0)");
  EXPECT_EQ(two, kNoWait);
  EXPECT_GT(one, 500u) << "the first load, from memory";
  EXPECT_GT(none, one) << "the second, of 64 lines";
}

// RRZE-HPC/gpu-benches gpu-strides: 2.18 cycles for 32 dwords in a row, not 2.
TEST(VectorMemoryRate, OfWhatTheL1HasIsNotQuiteItsPeak) {
  const TimingSpec& spec = spec_of("mi210");
  constexpr unsigned kLoads = 24;
  const char* const wide = "global_load_dwordx4 v[4:7], v[2:3], off";
  Script script(spec);
  script.access(wide, contiguous(1 << 20, 16)).then(kWaitAll);
  for (unsigned i = 0; i < kLoads; ++i) script.access(wide, contiguous(1 << 20, 16));
  script.then(kWaitAll).then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  const auto all = static_cast<double>(unit.between(0, 2, kLoads + 3));
  // Its last line is looked up 15 cycles after its first, and its last register comes 12 later.
  const double first = spec.vmem.hit_latency + 15 + 12;
  EXPECT_NEAR(all, first + (kLoads - 1) * 16 / spec.vmem.read_efficiency, 2);
}

TEST(VectorMemoryRate, OfStoresIsThatOfTheDataFromTheRegisters) {
  const TimingSpec& spec = spec_of("mi210");
  const auto busy = [&](const char* text, unsigned bytes) {
    Script script(spec);
    script.access(text, contiguous(1 << 20, bytes)).then("s_endpgm");
    OneUnit unit(spec);
    unit.run({&script});
    return static_cast<double>(unit.unit().vector_memory().busy_cycles());
  };
  EXPECT_EQ(busy("global_store_dwordx2 v1, v[2:3], s[0:1]", 8),
            std::round(64 * 8 / spec.vmem.store_bytes_per_cycle));
  EXPECT_EQ(busy("global_store_dword v1, v2, s[0:1]", 4),
            std::round(64 * 4 / spec.vmem.store_bytes_per_cycle));
}

TEST(VectorMemoryRate, LinesThatComeTakeCyclesOfTheL1OnCdna2) {
  for (const auto& [device, cycles] : std::vector<std::pair<const char*, std::uint64_t>>{
           {"mi210", 4 + 5 + 4}, {"mi300x", 4 + 4}}) {
    Script script(spec_of(device));
    // 256 bytes, which are four lines of MI210 (1.28 cycles each), and the same again.
    script.access(kLoad, contiguous(1 << 20, 4)).access(kLoad, contiguous(1 << 20, 4));
    script.then("s_endpgm");
    OneUnit unit(spec_of(device));
    unit.run({&script});
    EXPECT_EQ(unit.unit().vector_memory().busy_cycles(), cycles) << device;
  }
}

TEST(WaitCount, OfTheOtherCounterDoesNotWait) {
  EXPECT_EQ(wait_after_two("s_waitcnt lgkmcnt(0)"), kNoWait);
}

TEST(WaitCount, LoadsReturnInTheirOrder) {
  // The second load hits the L1 and still comes after the first, which goes to memory.
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  script.access(kLoad, everywhere(4096)).then(kWaitAll);
  script.access(kLoad, everywhere(1 << 21)).access(kLoad, everywhere(4096));
  script.then("s_waitcnt vmcnt(1)").then(kWaitAll).then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  EXPECT_GT(unit.between(0, 3, 5), 500u);
  EXPECT_LE(unit.between(0, 5, 6), 8u);
}

TEST(WaitCount, ALoadFromLdsDoesNotWaitForOneFromMemory) {
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  script.access(kLoad, everywhere(1 << 21));
  script.access("ds_read_b32 v1, v0", contiguous(0, 4));
  script.then(kWaitLgkm).then(kWaitAll).then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  EXPECT_EQ(unit.between(0, 1, 3), 44u);
  EXPECT_GT(unit.between(0, 3, 4), 400u);
}

TEST(Limit, TheTwentyFifthVectorMemoryInstructionWaitsForTheFirst) {
  for (const char* const device : {"mi210", "mi300x"}) {
    const TimingSpec& spec = spec_of(device);
    Script script(spec);
    for (unsigned i = 0; i < 26; ++i) script.access(kLoad, contiguous(1 << 20, 4));
    script.then("s_endpgm");
    OneUnit unit(spec);
    unit.run({&script});
    EXPECT_EQ(unit.issued(0, 23), 23u * 4) << device;
    EXPECT_GT(unit.between(0, 23, 24), 300u) << device;
  }
}

TEST(Limit, TheSixteenthScalarLoadWaitsForTheFirst) {
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  for (unsigned i = 0; i < 16; ++i) {
    script.access("s_load_dwordx2 s[0:1], s[2:3], 0x0", everywhere(1 << 20));
  }
  script.then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  EXPECT_EQ(unit.issued(0, 14), 14u * 4);
  EXPECT_GT(unit.between(0, 14, 15), 100u);
}

TEST(Limit, TheAddressUnitTakesEightInstructionsAheadThenAtItsRate) {
  const TimingSpec& spec = spec_of("mi210");
  const auto period = [&](const char* text, unsigned bytes) {
    Script script(spec);
    for (unsigned i = 0; i < 20; ++i) script.access(text, contiguous(1 << 20, bytes));
    script.then("s_endpgm");
    OneUnit unit(spec);
    unit.run({&script});
    EXPECT_EQ(unit.issued(0, 7), 28u);
    return unit.between(0, 15, 19) / 4;
  };
  EXPECT_EQ(period("global_load_dword v2, v1, s[0:1]", 4), 4u);
  EXPECT_EQ(period("global_load_dwordx2 v[2:3], v1, s[0:1]", 8), 16u);
  EXPECT_EQ(period("global_load_dwordx4 v[2:5], v1, s[0:1]", 16), 16u);
}

TEST(Accounting, EveryCycleOfAWaveHasOneReason) {
  const TimingSpec& spec = spec_of("mi210");
  Script script(spec);
  script.access("s_load_dwordx2 s[0:1], s[2:3], 0x0", everywhere(1 << 20)).then(kWaitLgkm);
  script.access(kLoad, contiguous(1 << 20, 4)).then(kWaitAll).then("v_exp_f32 v1, v2", 3);
  script.then("v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]").then("v_add_f32 v0, v11, v1");
  script.access("ds_write_b32 v0, v1", contiguous(0, 4)).then(kWaitLgkm).then("s_barrier");
  script.then("s_sleep 1").access("global_store_dword v0, v8, s[0:1]", contiguous(1 << 20, 4));
  script.then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script, &script, &script, &script, &script, &script, &script});
  const auto reasons = unit.ledger().cycles_by_reason();
  const std::uint64_t sum = std::accumulate(reasons.begin(), reasons.end(), std::uint64_t{0});
  EXPECT_EQ(sum, unit.unit().counters()[CuCounter::kSqWaveCycles]);
  std::uint64_t by_instruction = 0;
  for (const InstructionTally& tally : unit.ledger().instructions()) {
    by_instruction = std::accumulate(tally.cycles.begin(), tally.cycles.end(), by_instruction);
  }
  EXPECT_EQ(by_instruction, sum);
  EXPECT_GT(reasons[static_cast<std::size_t>(profile::Reason::kWaitMatrix)], 0u);
  EXPECT_GT(reasons[static_cast<std::size_t>(profile::Reason::kWaitBarrier)], 0u);
  EXPECT_GT(reasons[static_cast<std::size_t>(profile::Reason::kSleep)], 0u);
}

/// Cycles of a reason that a tally holds.
std::uint64_t booked(const InstructionTally& tally, profile::Reason reason) {
  return tally.cycles[static_cast<std::size_t>(reason)];
}

TEST(Accounting, BarriersAndSleepAreBookedWhereTheWaveWaits) {
  const TimingSpec& spec = spec_of("mi210");
  Script early(spec), late(spec);
  early.then("s_barrier").then("s_sleep 1").then("s_nop 7").then("s_endpgm");
  late.then("v_exp_f32 v1, v2", 9).then("s_barrier").then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&early, &late});
  const std::vector<InstructionTally>& tallies = unit.ledger().instructions();
  EXPECT_GT(booked(tallies[0], profile::Reason::kWaitBarrier), 100u);
  EXPECT_EQ(booked(tallies[1], profile::Reason::kWaitBarrier), 0u);
  EXPECT_EQ(booked(tallies[1], profile::Reason::kSleep), 64u - 4);
  EXPECT_EQ(booked(tallies[2], profile::Reason::kSleep), 32u - 4);
  EXPECT_EQ(booked(tallies[3], profile::Reason::kSleep), 0u);
}

}  // namespace
}  // namespace wavetank::timing::testing
