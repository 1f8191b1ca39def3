#include "check/lane_conflict.hpp"

#include <gtest/gtest.h>

#include <array>

#include "isa/catalogue.hpp"

namespace wavetank::check {
namespace {

/// A store of a wave of `bytes` bytes a lane, each lane's value its number unless a test says else.
class LaneConflicts : public ::testing::Test {
 protected:
  LaneConflicts() {
    for (unsigned lane = 0; lane < 64; ++lane) values_[lane] = lane;
    const auto rows = isa::catalogue();
    facts_.row = &*std::find_if(rows.begin(), rows.end(), [](const isa::Row& row) {
      return row.memory.action == isa::MemoryAction::kStore && row.memory.element_bytes == 4 &&
             row.memory.element_count == 1 && row.memory.special == isa::MemorySpecial::kNone &&
             row.encoding.format == isa::Format::kFlat;
    });
    facts_.space = machine::MemorySpace::kGlobal;
    facts_.stored = {0, 1};
    wave_.vgpr = values_.data();
  }
  std::optional<LaneConflict> look(unsigned bytes, std::uint64_t lanes = ~std::uint64_t{0}) {
    machine::Step step;
    step.facts = &facts_;
    step.lanes = lanes;
    step.access_bytes = bytes;
    for (unsigned lane = 0; lane < 64; ++lane) step.address.slot(lane) = addresses_[lane];
    std::vector<LaneRange> ranges;
    collect_ranges(step, lanes, ranges);
    return find_lane_conflict({wave_, group_, facts_, step, AccessKind::kWrite}, lanes, ranges);
  }
  template <class Place>
  void place(Place at) {
    for (unsigned lane = 0; lane < 64; ++lane) addresses_[lane] = 4096 + at(lane);
  }

  std::array<std::uint32_t, 64> values_ = {};
  std::array<std::uint64_t, 64> addresses_ = {};
  machine::StepFacts facts_;
  machine::Wave wave_ = {};
  Group group_;
};

TEST_F(LaneConflicts, LanesThatStoreSideBySideOrScatteredAgree) {
  place([](unsigned lane) { return 4 * lane; });
  EXPECT_FALSE(look(4));
  place([](unsigned lane) { return 4 * (lane * 37 % 64); });
  EXPECT_FALSE(look(4));
}

TEST_F(LaneConflicts, TwoLanesWithDifferentValuesForOnePlaceDisagree) {
  place([](unsigned lane) { return 4 * (lane == 50 ? 7 : lane); });
  const auto found = look(4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 7u);
  EXPECT_EQ(found->second, 50u);
  EXPECT_EQ(found->address, 4096u + 28);
}

TEST_F(LaneConflicts, TheSameValueForOnePlaceIsNoConflict) {
  place([](unsigned) { return 0u; });
  EXPECT_TRUE(look(4));
  values_.fill(5);
  EXPECT_FALSE(look(4));
}

TEST_F(LaneConflicts, OnlyLanesThatTakePartCount) {
  place([](unsigned lane) { return 4 * (lane % 32); });
  EXPECT_TRUE(look(4));
  EXPECT_FALSE(look(4, 0xffffffff));
}

TEST_F(LaneConflicts, OfBytesOnlyThoseThatOverlapAreCompared) {
  place([](unsigned lane) { return lane; });
  EXPECT_FALSE(look(1));
  values_.fill(0x01020304);
  EXPECT_TRUE(look(4)) << "shifted by a byte the values differ";
  values_.fill(0x01010101);
  EXPECT_FALSE(look(4));
}

}  // namespace
}  // namespace wavetank::check
