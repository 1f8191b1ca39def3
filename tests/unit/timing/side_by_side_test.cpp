// What accesses would be if lanes lay side by side: as few lines as their bytes need, and over all
// instructions no other ones than before.
#include "timing/units/side_by_side.hpp"

#include <gtest/gtest.h>

#include <map>

#include "scripted_wave.hpp"

namespace wavetank::timing::testing {
namespace {

constexpr std::uint64_t kBase = 1 << 20;
constexpr const char* kLoad = "global_load_dword v2, v1, s[0:1]";
constexpr const char* kStore = "global_store_dword v0, v8, s[0:1]";

AddressPlan laid(const char* text, const LaneAddress& address,
                 std::uint64_t lanes = ~std::uint64_t{0}) {
  const TimingSpec& spec = spec_of("mi210");
  const machine::StepFacts facts = assembled(text, spec);
  machine::Step step, side_by_side;
  fill_access(step, facts, address, lanes);
  AddressPlan plan;
  const bool write = facts.row->memory.action == isa::MemoryAction::kStore;
  plan_accesses(step, spec.vmem.l1_line_bytes, write, plan);
  lay_side_by_side(step, {&plan, 0}, spec.vmem.l1_line_bytes, side_by_side);
  plan_accesses(side_by_side, spec.vmem.l1_line_bytes, write, plan);
  return plan;
}

/// How often each line is asked for by instructions 0 to `count` - 1.
template <class Address>
std::map<std::uint64_t, unsigned> lines_of(unsigned count, Address address,
                                           const char* text = kLoad) {
  std::map<std::uint64_t, unsigned> lines;
  for (unsigned i = 0; i < count; ++i) {
    for (const LineAccess& line :
         laid(text, [&](unsigned lane) { return address(i, lane); }).lines) {
      ++lines[line.address];
    }
  }
  return lines;
}

TEST(SideBySide, AWalkDownColumnsBecomesOneAlongRows) {
  const auto lines =
      lines_of(16, [](unsigned i, unsigned lane) { return kBase + 8192ull * lane + 4ull * i; });
  EXPECT_EQ(lines.size(), 64u);
  for (const auto& [line, times] : lines) EXPECT_EQ(times, 1u) << line;
}

TEST(SideBySide, WavesOfATileReadEachOfItsLinesOnce) {
  // 32 columns of doubles that a workgroup of 32 x 32 reads, two rows of work-items for each wave.
  constexpr std::uint64_t kPitch = 16384;
  const auto lines = lines_of(
      64,
      [](unsigned wave, unsigned lane) {
        return kBase + kPitch * (lane % 32) + 8ull * (2 * wave + lane / 32);
      },
      "global_load_dwordx2 v[2:3], v1, s[0:1]");
  EXPECT_EQ(lines.size(), 64u * 64 * 8 / 64);
  for (const auto& [line, times] : lines) EXPECT_EQ(times, 1u) << line;
}

TEST(SideBySide, MembersOfStructuresBecomeArrays) {
  const auto lines =
      lines_of(8, [](unsigned i, unsigned lane) { return kBase + 32ull * lane + 4ull * i; });
  EXPECT_EQ(lines.size(), 32u);
  for (const auto& [line, times] : lines) EXPECT_EQ(times, 1u) << line;
}

TEST(SideBySide, ShortRowsOfALaneEachBecomeColumns) {
  // Rows of 256 bytes that lanes read in 16 pieces.
  const auto lines = lines_of(
      16, [](unsigned i, unsigned lane) { return kBase + 256ull * lane + 16ull * i; },
      "global_load_dwordx4 v[2:5], v1, s[0:1]");
  EXPECT_EQ(lines.size(), 64u * 256 / 64);
  for (const auto& [line, times] : lines) EXPECT_EQ(times, 1u) << line;
}

TEST(SideBySide, AStoreWritesWholeRequests) {
  const AddressPlan plan = laid(kStore, [](unsigned lane) { return kBase + 8192ull * lane; });
  EXPECT_EQ(plan.cycles, 4u);
  ASSERT_EQ(plan.writes.size(), 4u);
  for (const WriteRequest& write : plan.writes) EXPECT_EQ(write.bytes, 64u);
}

TEST(SideBySide, FewLanesTakeTheRoomOfFew) {
  const AddressPlan plan =
      laid(kLoad, [](unsigned lane) { return kBase + 8192ull * lane; }, 0xffff0000);
  EXPECT_EQ(plan.lines.size(), 1u);
  EXPECT_EQ(plan.bytes, 64u);
}

TEST(SideBySide, WhatLiesSideBySideStaysAsItIs) {
  const auto contiguous = [](unsigned lane) { return kBase + 4ull * lane; };
  const TimingSpec& spec = spec_of("mi210");
  const machine::StepFacts facts = assembled(kLoad, spec);
  machine::Step step;
  fill_access(step, facts, contiguous, ~std::uint64_t{0});
  AddressPlan plan;
  plan_accesses(step, spec.vmem.l1_line_bytes, false, plan);
  EXPECT_EQ(laid(kLoad, contiguous), plan);
}

}  // namespace
}  // namespace wavetank::timing::testing
