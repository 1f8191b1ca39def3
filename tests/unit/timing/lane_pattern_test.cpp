// What is kept of how an access's lanes lie.
#include "timing/units/lane_pattern.hpp"

#include <gtest/gtest.h>

#include "scripted_wave.hpp"

namespace wavetank::timing::testing {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// Adds one access of a load to a tally.
void access(const LaneAddress& address, std::uint64_t lanes, InstructionTally& tally,
            const char* text = "global_load_dword v2, v1, s[0:1]", bool scratch = false) {
  const machine::StepFacts facts = assembled(text, spec_of("mi210"));
  machine::Step step;
  fill_access(step, facts, address, lanes);
  step.scratch = scratch;
  note_lanes(step, tally);
}

TEST(LanePattern, RowsHaveTheElementAndColumnsThePitch) {
  InstructionTally row, column;
  access([](unsigned lane) { return 4096 + 4 * lane; }, kAll, row);
  access([](unsigned lane) { return 4096 + std::uint64_t{8192} * lane; }, kAll, column);
  EXPECT_EQ(row.least_stride, 4);
  EXPECT_EQ(row.greatest_stride, 4);
  EXPECT_EQ(column.least_stride, 8192);
  EXPECT_EQ(column.greatest_stride, 8192);
}

TEST(LanePattern, TilesHaveTwoStridesAndAccessesThatDifferAllOfTheirs) {
  InstructionTally tally;
  access([](unsigned lane) { return 4096 + lane / 16 * 1024 + lane % 16 * 4; }, kAll, tally);
  EXPECT_EQ(tally.least_stride, 4);
  EXPECT_EQ(tally.greatest_stride, (3 * 1024 + 60) / 63);
  access([](unsigned lane) { return 4096 - std::uint64_t{8} * lane; }, kAll, tally);
  EXPECT_EQ(tally.least_stride, -8);
  EXPECT_EQ(tally.strided_accesses, 2u);
}

TEST(LanePattern, WhatExchangesRegistersHasNone) {
  const machine::StepFacts facts = assembled("ds_bpermute_b32 v1, v0, v2", spec_of("mi210"));
  machine::Step step;
  fill_access(step, facts, [](unsigned lane) { return 4096 - 64 * lane; });
  step.access_count = 0;
  InstructionTally tally;
  note_lanes(step, tally);
  EXPECT_EQ(tally.strided_accesses, 0u);
}

TEST(LanePattern, OneLaneHasNoStrideAndTwoHave) {
  InstructionTally tally;
  access([](unsigned lane) { return 4096 + 64 * lane; }, 1, tally);
  EXPECT_EQ(tally.strided_accesses, 0u);
  access([](unsigned lane) { return 4096 + 64 * lane; }, 0b1001, tally);
  EXPECT_EQ(tally.strided_accesses, 1u);
  EXPECT_EQ(tally.least_stride, 192);
}

TEST(LanePattern, OnlyAccessesOfScratchArePrivate) {
  const LaneAddress rows = [](unsigned lane) { return 4096 + 4 * lane; };
  InstructionTally tally;
  access(rows, kAll, tally);
  EXPECT_EQ(tally.private_accesses, 0u);
  access(rows, kAll, tally, "buffer_load_dword v2, off, s[0:3], 0", true);
  EXPECT_EQ(tally.private_accesses, 1u);
}

}  // namespace
}  // namespace wavetank::timing::testing
