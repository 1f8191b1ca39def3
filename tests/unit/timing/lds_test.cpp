// LDS bank cycles: which lanes go together for each width, what conflicts and what is shared, and
// what the unit's ports let through. Sources: tingqli/pyhip bank-conflict, Composable Kernel
// ck_tile hardware notes, rocprofiler-compute "LDS", a public MI300X counter study.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "scripted_wave.hpp"
#include "timing/units/issue_counting.hpp"
#include "timing/units/lds_unit.hpp"

namespace wavetank::timing::testing {
namespace {

constexpr unsigned kBanks = 32;
constexpr std::uint64_t kAll = ~std::uint64_t{0};

machine::Step access(const machine::StepFacts& facts, const LaneAddress& address,
                     std::uint64_t lanes = kAll) {
  machine::Step step;
  fill_access(step, facts, address, lanes);
  return step;
}

BankCycles cycles_of(const char* text, const LaneAddress& address, std::uint64_t lanes = kAll) {
  const TimingSpec& spec = spec_of("mi300x");
  const machine::StepFacts facts = assembled(text, spec);
  const machine::Step step = access(facts, address, lanes);
  KnownBanks known;
  const BankCycles cycles = count_bank_cycles(step, lanes, spec.lds);
  for (unsigned round = 0; round < 2; ++round) {
    EXPECT_EQ(known.count(step, lanes, spec.lds), cycles) << text << " in round " << round;
  }
  return cycles;
}

LaneAddress stride(unsigned bytes) {
  return [=](unsigned lane) { return std::uint64_t{bytes} * lane; };
}

/// Lanes `a` and `b` on one bank at different dwords; all other lanes inactive.
std::uint32_t conflict_of_pair(const char* text, unsigned a, unsigned b) {
  const std::uint64_t lanes = std::uint64_t{1} << a | std::uint64_t{1} << b;
  return cycles_of(
             text, [=](unsigned lane) { return lane == a ? 0u : 4u * kBanks * 8; }, lanes)
      .conflict;
}

constexpr const char* kRead32 = "ds_read_b32 v1, v0";
constexpr const char* kRead64 = "ds_read_b64 v[2:3], v0";
constexpr const char* kRead128 = "ds_read_b128 v[4:7], v0";
constexpr const char* kWrite32 = "ds_write_b32 v0, v1";
constexpr const char* kWrite64 = "ds_write_b64 v0, v[2:3]";
constexpr const char* kWrite128 = "ds_write_b128 v0, v[4:7]";

TEST(BankCycles, ConsecutiveDwordsAreTwoGroupsOfThirtyTwo) {
  EXPECT_EQ(cycles_of(kRead32, stride(4)).total, 2u);
  EXPECT_EQ(cycles_of(kRead32, stride(4)).conflict, 0u);
  EXPECT_EQ(cycles_of(kWrite32, stride(4)).total, 2u);
}

TEST(KnownBanks, AreThoseOfTheCountWhereverLanesLie) {
  const TimingSpec& spec = spec_of("mi300x");
  KnownBanks known;
  for (const char* const text : {kRead32, kRead64, kWrite128}) {
    const machine::StepFacts facts = assembled(text, spec);
    for (std::uint64_t base = 0; base < spec.lds.bytes + 512; base += 508) {
      for (const unsigned pitch : {4u, 132u, 2048u}) {
        const machine::Step step =
            access(facts, [=](unsigned lane) { return base + lane % 8 * pitch + lane / 8 * 64; });
        EXPECT_EQ(known.count(step, kAll, spec.lds), count_bank_cycles(step, kAll, spec.lds))
            << text << " from " << base << ", " << pitch << " apart";
      }
    }
  }
}

TEST(BankCycles, LanesBeyondTheLdsCostNothing) {
  // 64 KiB hold the first 32 lanes: tingqli/pyhip measured 33 cycles.
  EXPECT_EQ(cycles_of(kRead32, stride(4 * 512)).total, 33u);
}

TEST(BankCycles, AStrideOfNDwordsConflictsByItsCommonFactorWithTheBanks) {
  for (const auto& [dwords, ways] : std::vector<std::pair<unsigned, unsigned>>{
           {1, 1}, {2, 2}, {3, 1}, {4, 4}, {8, 8}, {16, 16}, {31, 1}, {32, 32}, {33, 1}}) {
    EXPECT_EQ(cycles_of(kRead32, stride(4 * dwords)).total, 2 * ways) << dwords;
    EXPECT_EQ(cycles_of(kRead32, stride(4 * dwords)).conflict, 2 * (ways - 1)) << dwords;
  }
}

TEST(BankCycles, SixtyFourLanesOnOneBankTakeSixtyFourCycles) {
  EXPECT_EQ(cycles_of(kRead32, stride(128)).total, 64u);
}

TEST(BankCycles, LanesThatReadOneDwordShareIt) {
  EXPECT_EQ(cycles_of(kRead32, [](unsigned) { return 64u; }).total, 2u);
  EXPECT_EQ(cycles_of("ds_read_u8 v1, v0", stride(1)).conflict, 0u);
  EXPECT_EQ(cycles_of("ds_read_u16 v1, v0", stride(2)).conflict, 0u);
  EXPECT_EQ(cycles_of("ds_write_b8 v0, v1", stride(1)).conflict, 0u);
}

TEST(BankCycles, AWriteOfOneDwordByAllLanesIsNoConflict) {
  EXPECT_EQ(cycles_of(kWrite32, [](unsigned) { return 64u; }).conflict, 0u);
}

TEST(BankCycles, InactiveGroupsTakeNone) {
  EXPECT_EQ(cycles_of(kRead32, stride(4), 0x00000000ffffffff).total, 1u);
  EXPECT_EQ(cycles_of(kRead32, stride(4), 0).total, 0u);
}

TEST(BankCycles, MeasuredSampleWithThirtyOneConflictsCountsThirtyThreeCycles) {
  // Half of the wave on one bank, the other half on one dword: 1081344 / 32768 active and
  // 1015808 / 32768 conflict cycles.
  const BankCycles cycles =
      cycles_of(kRead32, [](unsigned lane) { return lane < 32 ? 128 * lane : 0; });
  EXPECT_EQ(cycles.total, 33u);
  EXPECT_EQ(cycles.conflict, 31u);
}

TEST(LaneGroups, OfDwordsAreTheTwoHalves) {
  EXPECT_EQ(conflict_of_pair(kRead32, 0, 31), 1u);
  EXPECT_EQ(conflict_of_pair(kRead32, 31, 32), 0u);
  EXPECT_EQ(conflict_of_pair(kRead32, 32, 63), 1u);
}

TEST(LaneGroups, OfEightBytesAreSixteenConsecutiveLanes) {
  for (const char* const text : {kRead64, kWrite64}) {
    EXPECT_EQ(cycles_of(text, stride(8)).total, 4u) << text;
    EXPECT_EQ(conflict_of_pair(text, 0, 15), 1u) << text;
    EXPECT_EQ(conflict_of_pair(text, 15, 16), 0u) << text;
    EXPECT_EQ(conflict_of_pair(text, 16, 31), 1u) << text;
    EXPECT_EQ(conflict_of_pair(text, 47, 48), 0u) << text;
  }
}

TEST(LaneGroups, OfSixteenByteReadsAreInterleaved) {
  // {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27}, and the same 32 lanes on.
  EXPECT_EQ(cycles_of(kRead128, stride(16)).total, 8u);
  EXPECT_EQ(cycles_of(kRead128, stride(16)).conflict, 0u);
  const auto group_of = [](unsigned lane) {
    constexpr unsigned kOfFour[8] = {0, 1, 2, 3, 1, 0, 3, 2};
    return lane / 32 * 4 + kOfFour[lane % 32 / 4];
  };
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = a + 1; b < 64; ++b) {
      EXPECT_EQ(conflict_of_pair(kRead128, a, b) != 0, group_of(a) == group_of(b))
          << a << " and " << b;
    }
  }
}

TEST(LaneGroups, OfSixteenByteWritesAreEightConsecutiveLanes) {
  EXPECT_EQ(cycles_of(kWrite128, stride(16)).total, 8u);
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = a + 1; b < 64; ++b) {
      EXPECT_EQ(conflict_of_pair(kWrite128, a, b) != 0, a / 8 == b / 8) << a << " and " << b;
    }
  }
}

TEST(LaneGroups, OfTwoReadsInOneAreThoseOfEach) {
  EXPECT_EQ(cycles_of("ds_read2_b32 v[2:3], v0 offset1:1", stride(4)).total, 4u);
  EXPECT_EQ(cycles_of("ds_read2_b64 v[4:7], v0 offset1:1", stride(8)).total, 8u);
}

TEST(Atomics, ToOneAddressFollowEachOther) {
  const auto at_one = [](unsigned) { return 64u; };
  EXPECT_EQ(cycles_of("ds_add_u32 v0, v1", at_one).same_address, 63u);
  EXPECT_EQ(cycles_of("ds_add_u32 v0, v1", stride(4)).same_address, 0u);
  EXPECT_EQ(cycles_of("ds_add_u32 v0, v1", at_one, 1).same_address, 0u);
}

/// Cycles between instructions of a long run on the given SIMDs in turn.
std::uint64_t period(const char* text, const LaneAddress& address,
                     const std::vector<unsigned>& simds) {
  const TimingSpec& spec = spec_of("mi300x");
  const machine::StepFacts facts = assembled(text, spec);
  LdsUnit unit(spec);
  KnownBanks known;
  std::vector<std::uint64_t> ends;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned simd = simds[i % simds.size()];
    ends.push_back(unit.issue(access(facts, address), kAll, simd, 0, known).done);
  }
  return (ends[60] - ends[20]) / 40;
}

TEST(LdsPorts, OnePairOfSimdsReadsSixtyFourBytesInACycle) {
  EXPECT_EQ(period(kRead32, stride(4), {0}), 4u);
  EXPECT_EQ(period(kRead32, stride(4), {0, 1}), 4u) << "SIMDs 0 and 1 share a port";
  EXPECT_EQ(period(kRead64, stride(8), {0}), 8u);
  EXPECT_EQ(period(kRead128, stride(16), {0}), 16u);
}

TEST(LdsPorts, BothPairsTogetherReadTwiceThat) {
  EXPECT_EQ(period(kRead32, stride(4), {0, 2}), 2u);
  EXPECT_EQ(period(kRead128, stride(16), {0, 2}), 8u);
}

TEST(LdsPorts, AStoreSendsItsAddressesFirst) {
  EXPECT_EQ(period(kWrite32, stride(4), {0}), 8u);
  EXPECT_EQ(period(kWrite128, stride(16), {0}), 20u);
}

TEST(LdsPorts, ConflictsKeepTheBanksFromBothPairs) {
  EXPECT_EQ(period(kRead32, stride(128), {0}), 64u);
  EXPECT_EQ(period(kRead32, stride(128), {0, 2}), 64u);
}

TEST(LdsPorts, AnExchangeOfLanesUsesTheBusOfItsPairAndNoBanks) {
  const TimingSpec& spec = spec_of("mi300x");
  const machine::StepFacts facts = assembled("ds_bpermute_b32 v1, v0, v2", spec);
  LdsUnit unit(spec);
  KnownBanks known;
  EXPECT_EQ(unit.issue(access(facts, stride(128)), kAll, 0, 0, known).banks.total, 0u);
  EXPECT_EQ(unit.busy_cycles(), 0u);
  EXPECT_EQ(unit.bus_busy_cycles(), spec.lds.permute_cycles / 2.0) << "of the average of two";
}

TEST(LdsCounters, OfThirtyTwoThousandConflictFreeReadsAreTwoEach) {
  const TimingSpec& spec = spec_of("mi300x");
  const machine::StepFacts facts = assembled(kRead32, spec);
  const machine::Step step = access(facts, stride(4));
  LdsUnit unit(spec);
  KnownBanks known;
  CuCounters counters, shared;
  IssueCounting counting(counters, shared);
  for (unsigned i = 0; i < 32768; ++i) {
    const auto [done, banks] = unit.issue(step, kAll, i % 4, 0, known);
    counting.lds_access(step, banks, done);
  }
  EXPECT_EQ(counters[CuCounter::kSqLdsIdxActive], 65536u);
  EXPECT_EQ(counters[CuCounter::kSqLdsBankConflict], 0u);
}

}  // namespace
}  // namespace wavetank::timing::testing
