#include "check/memory_log.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace wavetank::check {
namespace {

TEST(MemoryLog, GivesBackWhatWasWrittenDown) {
  std::array<std::uint32_t, 128> rows;
  std::iota(rows.begin(), rows.end(), 5u);
  const std::array<LaneRange, 2> ranges = {LaneRange{0x7000'1000'0000, 0x7000'1000'0040, 3, 8},
                                           LaneRange{64, 72, 17, 8}};
  machine::StepFacts facts;
  MemoryLog log;
  log.add_barrier();
  log.add_access(facts, AccessKind::kRead, 0, std::span(ranges).first(1), {});
  log.add_access(facts, AccessKind::kWrite, 15, ranges, {rows.data(), 2, true});
  ASSERT_EQ(log.events().size(), 3u);
  EXPECT_EQ(log.events()[0].facts, nullptr);
  const MemoryLog::Event& event = log.events()[2];
  EXPECT_EQ(event.facts, &facts);
  EXPECT_EQ(event.kind, AccessKind::kWrite);
  EXPECT_EQ(event.wave, 15u);
  std::vector<LaneRange> read;
  log.get_ranges(event, read);
  ASSERT_EQ(read.size(), ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ(read[i].begin, ranges[i].begin);
    EXPECT_EQ(read[i].end, ranges[i].end);
    EXPECT_EQ(read[i].first_lane, ranges[i].first_lane);
    EXPECT_EQ(read[i].lane_bytes, ranges[i].lane_bytes);
  }
  const StoredRows stored = log.stored_by(event);
  EXPECT_TRUE(stored.from_high_half);
  ASSERT_EQ(stored.dwords, 2u);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(stored.rows[i], rows[i]);
}

}  // namespace
}  // namespace wavetank::check
