#include "check/shared_cells.hpp"

#include <gtest/gtest.h>

namespace wavetank::check {
namespace {

Record record(std::uint32_t actor, std::uint32_t time, unsigned lane) {
  return Record::of(actor, 5, time, 1001, lane);
}

/// A cell of five accesses, none of which is another cell's.
Cell crowded(unsigned number) {
  const auto own = [&](std::uint32_t i) { return record(1 + 5 * number + i, number, number % 64); };
  return {own(0), own(1), own(2), own(3), 0xdeadbeef + number, own(4)};
}

void expect_equal(const Cell& a, const Cell& b) {
  EXPECT_EQ(a.write, b.write);
  EXPECT_EQ(a.atomic, b.atomic);
  EXPECT_EQ(a.read, b.read);
  EXPECT_EQ(a.other_read, b.other_read);
  EXPECT_EQ(a.other_atomic, b.other_atomic);
  EXPECT_EQ(a.value, b.value);
}

TEST(SharedCells, RememberNothingAtFirst) { expect_equal(SharedCells(4).get(3), {}); }

TEST(SharedCells, EachOfALinesBytesMayRememberFiveAccessesOfItsOwn) {
  constexpr unsigned kBytes = 128;
  SharedCells cells(kBytes);
  for (const unsigned round : {0u, 7u, 1000u}) {
    for (unsigned i = 0; i < kBytes; ++i) cells.set(i, crowded(i + round));
    for (unsigned i = 0; i < kBytes; ++i) expect_equal(cells.get(i), crowded(i + round));
  }
}

TEST(SharedCells, LanesOfOneInstructionShareTheirRecord) {
  SharedCells cells(32);
  for (unsigned lane = 0; lane < 32; ++lane)
    cells.set(lane, {record(9, 3, lane), {}, {}, {}, lane});
  EXPECT_EQ(cells.records(), 2u);  // and none
  EXPECT_EQ(cells.get(17).write.lane(), 17u);
}

TEST(SharedCells, WhatNoCellNamesIsForgotten) {
  SharedCells cells(2);
  for (std::uint32_t time = 0; time < 100'000; ++time) {
    cells.set(time % 2, {record(9, time, 0), {}, {}, {}, 0});
  }
  EXPECT_LT(cells.records(), 16u);
  EXPECT_EQ(cells.get(0).write.time(), 99'998u);
}

}  // namespace
}  // namespace wavetank::check
