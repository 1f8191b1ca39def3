// Cycles, tag look-ups and requests of vector memory instructions. The cycles are those that
// RRZE-HPC/gpu-benches gpu-strides measured on MI210; the counts those of the rocprofiler-compute
// vcopy workload and of a public MI300X counter study.
#include <gtest/gtest.h>

#include <vector>

#include "scripted_wave.hpp"
#include "timing/units/address_unit.hpp"
#include "timing/units/planned_accesses.hpp"

namespace wavetank::timing::testing {
namespace {

constexpr const char* kLoad32 = "global_load_dword v2, v1, s[0:1]";
constexpr const char* kLoad64 = "global_load_dwordx2 v[2:3], v1, s[0:1]";
constexpr const char* kLoad128 = "global_load_dwordx4 v[2:5], v1, s[0:1]";
constexpr const char* kStore32 = "global_store_dword v0, v8, s[0:1]";
constexpr const char* kStore64 = "global_store_dwordx2 v0, v[8:9], s[0:1]";
constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::uint64_t kBase = 1 << 20;

AddressPlan plan_of(const char* text, const LaneAddress& address, std::uint64_t lanes = kAll,
                    const char* device = "mi210") {
  const TimingSpec& spec = spec_of(device);
  const machine::StepFacts facts = assembled(text, spec);
  machine::Step step;
  fill_access(step, facts, address, lanes);
  AddressPlan plan;
  const bool write = facts.row->memory.action == isa::MemoryAction::kStore;
  plan_accesses(step, spec.vmem.l1_line_bytes, write, plan);
  return plan;
}

LaneAddress stride(unsigned bytes) {
  return [=](unsigned lane) { return kBase + std::uint64_t{bytes} * lane; };
}

struct Measured {
  unsigned stride;  ///< in elements
  unsigned cycles;  ///< of a wave
};

TEST(AddressUnit, DwordStridesTakeTheMeasuredCycles) {
  for (const Measured& one : std::vector<Measured>{{1, 4},
                                                   {2, 32},
                                                   {3, 16},
                                                   {4, 64},
                                                   {5, 28},
                                                   {6, 32},
                                                   {7, 28},
                                                   {8, 64},
                                                   {12, 64},
                                                   {15, 48},
                                                   {16, 64},
                                                   {17, 48},
                                                   {20, 64},
                                                   {32, 64},
                                                   {64, 64}}) {
    EXPECT_EQ(plan_of(kLoad32, stride(4 * one.stride)).cycles, one.cycles) << one.stride;
  }
}

TEST(AddressUnit, DoubleStridesTakeTheMeasuredCycles) {
  for (const Measured& one : std::vector<Measured>{
           {0, 16}, {1, 16}, {2, 16}, {3, 16}, {4, 32}, {8, 64}, {16, 64}, {32, 64}}) {
    EXPECT_EQ(plan_of(kLoad64, stride(8 * one.stride)).cycles, one.cycles) << one.stride;
  }
}

TEST(AddressUnit, ContiguousWavesPassSixtyFourBytesInACycleButDoublesHalfOfThat) {
  EXPECT_EQ(plan_of(kLoad32, stride(4)).cycles, 4u);
  EXPECT_EQ(plan_of(kLoad64, stride(8)).cycles, 16u);
  EXPECT_EQ(plan_of(kLoad128, stride(16)).cycles, 16u);
}

TEST(AddressUnit, SixteenDwordsSideBySideAreACycleWhereverTheyStart) {
  const auto rows_of = [](unsigned lanes) {
    return [=](unsigned lane) { return kBase + 4 * (4098 * (lane / lanes) + lane % lanes); };
  };
  EXPECT_EQ(plan_of(kLoad32, rows_of(16)).cycles, 4u);
  EXPECT_EQ(plan_of(kLoad32, [](unsigned lane) { return kBase + 12 + 4 * lane; }).cycles, 4u);
  EXPECT_EQ(plan_of(kLoad32, rows_of(2)).cycles, 48u) << "as a stride of one modulo 16";
}

TEST(AddressUnit, BlocksOfEightLanesTakeTwiceTheCycles) {
  const auto blocks_of = [](unsigned lanes) {
    return [=](unsigned lane) { return kBase + 1024 * (lane / lanes) + 4 * (lane % lanes); };
  };
  EXPECT_EQ(plan_of(kLoad32, blocks_of(16)).cycles, 4u);
  EXPECT_EQ(plan_of(kLoad32, blocks_of(8)).cycles, 8u);
  EXPECT_EQ(plan_of(kLoad32, blocks_of(4)).cycles, 16u);
}

TEST(AddressUnit, LanesThatReadOneDwordShareItWithinAQuad) {
  EXPECT_EQ(plan_of(kLoad32, stride(0)).cycles, 16u);
  EXPECT_EQ(plan_of(kLoad32, stride(0)).lines.size(), 1u);
}

TEST(AddressUnit, QuadsWithoutActiveLanesTakeNone) {
  EXPECT_EQ(plan_of(kLoad64, stride(8), 0xf).cycles, 1u);
  EXPECT_EQ(plan_of(kLoad64, stride(8), 0x1f).cycles, 2u);
  EXPECT_EQ(plan_of(kLoad64, stride(8), 0).cycles, 0u);
}

TEST(AddressUnit, ADoubleCopyLooksUpSixteenTagsAndCountsSixtyFourAccesses) {
  for (const char* const text : {kLoad64, kStore64}) {
    const AddressPlan plan = plan_of(text, stride(8));
    EXPECT_EQ(plan.tag_lookups, 16u) << text;
    EXPECT_EQ(plan.accesses, 64u) << text;
    EXPECT_EQ(plan.bytes, 512u) << text;
  }
}

TEST(AddressUnit, AContiguousDwordWaveCountsSixteenAccessesAndAnyOtherSixtyFour) {
  EXPECT_EQ(plan_of(kLoad32, stride(4)).accesses, 16u);
  EXPECT_EQ(plan_of(kLoad32, stride(8)).accesses, 64u);
  EXPECT_EQ(plan_of(kLoad32, stride(4)).coalesced, 1u);
}

TEST(AddressUnit, ReadsAskForEachLineOnce) {
  EXPECT_EQ(plan_of(kLoad64, stride(8), kAll, "mi210").lines.size(), 8u) << "64-byte lines";
  EXPECT_EQ(plan_of(kLoad64, stride(8), kAll, "mi300x").lines.size(), 4u) << "128-byte lines";
  EXPECT_EQ(plan_of(kLoad32, stride(64), kAll, "mi210").lines.size(), 64u);
  EXPECT_EQ(plan_of(kLoad32, stride(64), kAll, "mi300x").lines.size(), 32u);
}

TEST(AddressUnit, AWaveOffALineBoundaryTouchesOneLineMore) {
  const auto shifted = [](unsigned lane) { return kBase + 4 + 4 * lane; };
  EXPECT_EQ(plan_of(kLoad32, shifted).lines.size(), 5u);
}

TEST(AddressUnit, WritesLeaveInRequestsOfSixtyFourBytes) {
  const AddressPlan whole = plan_of(kStore64, stride(8));
  ASSERT_EQ(whole.writes.size(), 8u);
  for (const WriteRequest& request : whole.writes) {
    EXPECT_EQ(request.sectors, 3u);
    EXPECT_EQ(request.bytes, 64u);
  }
  EXPECT_EQ(plan_of(kStore32, stride(4)).writes.size(), 4u);
}

TEST(AddressUnit, AScatteredWriteIsOneSectorForEachLane) {
  const AddressPlan plan = plan_of(kStore64, stride(8192 * 8));
  ASSERT_EQ(plan.writes.size(), 64u);
  EXPECT_EQ(plan.writes[0].sectors, 1u);
  EXPECT_EQ(plan.writes[0].bytes, 8u);
  EXPECT_EQ(plan.cycles, 64u);
}

TEST(AddressUnit, LanesOfAFlatInstructionInLdsAskNothingOfMemory) {
  const machine::StepFacts facts = assembled("flat_load_dword v2, v[0:1]", spec_of("mi210"));
  machine::Step step;
  fill_access(step, facts, stride(4));
  step.lds_lanes = kAll;
  AddressPlan plan;
  plan_accesses(step, 64, false, plan);
  EXPECT_EQ(plan.cycles, 0u);
  EXPECT_TRUE(plan.lines.empty());
}

/// The plan with its addresses where they are.
AddressPlan in_place(const ShiftedPlan& planned) {
  AddressPlan plan = *planned.plan;
  for (LineAccess& line : plan.lines) line.address += planned.shift;
  for (WriteRequest& write : plan.writes) write.address += planned.shift;
  return plan;
}

/// The step with addresses that are read from registers, as those of waves are.
machine::Step from_registers(machine::Step step) {
  std::array<std::uint32_t, 64> low, high;
  for (unsigned lane = 0; lane < 64; ++lane) {
    low[lane] = static_cast<std::uint32_t>(step.address[lane]);
    high[lane] = static_cast<std::uint32_t>(step.address[lane] >> 32);
  }
  step.address.refer(low.data(), high.data(), 0);
  step.address.settle(step.lanes);
  return step;
}

TEST(PlannedAccesses, OfRowsAndStridesAreThoseOfThePlannerWhereverAWaveStarts) {
  const auto rows = [](std::uint64_t base, unsigned bytes) {
    return [=](unsigned lane) { return base + lane % 32 * bytes + lane / 32 * 65536; };
  };
  const auto apart = [](std::uint64_t base, unsigned bytes) {
    return [=](unsigned lane) { return base + std::uint64_t{lane} * bytes * 5; };
  };
  for (const char* const device : {"mi210", "mi300x"}) {
    const TimingSpec& spec = spec_of(device);
    PlannedAccesses planned;
    for (const char* const text : {kLoad32, kLoad64, kLoad128, kStore32, kStore64}) {
      const machine::StepFacts facts = assembled(text, spec);
      const bool write = facts.row->memory.action == isa::MemoryAction::kStore;
      const unsigned bytes = facts.row->memory.element_bytes;
      for (std::uint64_t base = kBase; base < kBase + 2048; base += 4) {
        for (const LaneAddress& shape :
             {LaneAddress(rows(base, bytes)), LaneAddress(apart(base, bytes))}) {
          machine::Step step;
          fill_access(step, facts, shape, base % 8 == 0 ? kAll : kAll >> 3);
          AddressPlan own;
          plan_accesses(step, spec.vmem.l1_line_bytes, write, own);
          for (const machine::Step& same : {step, from_registers(step)}) {
            ASSERT_EQ(in_place(planned.plan(same, spec.vmem.l1_line_bytes, write)), own)
                << text << " from " << base << " on " << device;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace wavetank::timing::testing
