#include "check/packed_cell.hpp"

#include <gtest/gtest.h>

namespace wavetank::check {
namespace {

constexpr CellBase kBase{100, 1000};

Record record(std::uint32_t actor, std::uint32_t time = 3, std::uint32_t site = 1001) {
  return Record::of(actor, 5, time, site, 63);
}

/// True if the cell comes out as it went in.
bool keeps(const Cell& cell) {
  PackedCell packed;
  if (!packed.pack(cell, kBase)) return false;
  const Cell out = packed.unpack(kBase);
  EXPECT_EQ(out.write, cell.write);
  EXPECT_EQ(out.atomic, cell.atomic);
  EXPECT_EQ(out.read, cell.read);
  EXPECT_EQ(out.other_read, cell.other_read);
  EXPECT_EQ(out.value, cell.value);
  return true;
}

TEST(PackedCell, HasRoomForTwoAccesses) {
  Record exchange = record(101);
  exchange.set_meets_stores();
  EXPECT_TRUE(keeps({}));
  EXPECT_TRUE(keeps({record(100), {}, {}, {}, 0}));
  EXPECT_TRUE(keeps({{}, exchange, record(200), {}, 0}));
  EXPECT_TRUE(keeps({{}, {}, record(200), record(300), 0}));
  EXPECT_FALSE(keeps({record(100), {}, record(200), record(300), 0}));
}

TEST(PackedCell, HasRoomForAStoreAndItsValue) {
  EXPECT_TRUE(keeps({record(100), {}, {}, {}, 0xffffffffu}));
  EXPECT_FALSE(keeps({record(100), {}, record(200), {}, 7}));
}

TEST(PackedCell, HasNoRoomForLargeNumbers) {
  EXPECT_TRUE(
      keeps({record(100 + (1u << 24) - 1, (1u << 13) - 1, 1000 + (1u << 14) - 1), {}, {}, {}, 0}));
  EXPECT_FALSE(keeps({record(100 + (1u << 24)), {}, {}, {}, 0}));
  EXPECT_FALSE(keeps({record(100, 1u << 13), {}, {}, {}, 0}));
  EXPECT_FALSE(keeps({record(100, 3, 1000 + (1u << 14)), {}, {}, {}, 0}));
  EXPECT_FALSE(keeps({record(100, 3, 999), {}, {}, {}, 0}));
}

PackedAccess access(AccessKind kind, std::uint32_t actor, bool is_ordered = false) {
  return PackedAccess::of(record(actor), kind, is_ordered, kBase);
}

TEST(PackedCell, TakesAFirstPlainAccess) {
  PackedCell packed;
  EXPECT_FALSE(packed.take(access(AccessKind::kAtomic, 101), 9, 0));
  EXPECT_TRUE(packed.take(access(AccessKind::kWrite, 101), 9, 77));
  const Cell out = packed.unpack(kBase);
  EXPECT_EQ(out.write.actor, 101u);
  EXPECT_EQ(out.write.lane(), 9u);
  EXPECT_EQ(out.value, 77u);
}

TEST(PackedCell, TakesWhatReplacesTheSameWavesAccessBefore) {
  PackedCell packed;
  EXPECT_TRUE(packed.take(access(AccessKind::kRead, 101), 8, 0));
  EXPECT_TRUE(packed.take(access(AccessKind::kRead, 101), 9, 0));
  EXPECT_EQ(packed.unpack(kBase).read.lane(), 9u);
  EXPECT_TRUE(packed.take(access(AccessKind::kWrite, 101), 10, 77));
  EXPECT_TRUE(packed.take(access(AccessKind::kWrite, 101), 11, 78));
  EXPECT_FALSE(packed.take(access(AccessKind::kRead, 101), 9, 0)) << "both are to be remembered";
  EXPECT_FALSE(packed.take(access(AccessKind::kWrite, 102), 9, 77));
  const Cell out = packed.unpack(kBase);
  EXPECT_FALSE(out.read.present());
  EXPECT_EQ(out.write.lane(), 11u);
  EXPECT_EQ(out.value, 78u);
}

TEST(PackedCell, DropsTheLoadOfAThirdWorkgroup) {
  PackedCell packed;
  EXPECT_TRUE(packed.take(access(AccessKind::kRead, 101), 9, 0));
  EXPECT_FALSE(packed.take(access(AccessKind::kRead, 102), 9, 0)) << "to be remembered";
  ASSERT_TRUE(packed.pack({{}, {}, record(101), record(102), 0}, kBase));
  EXPECT_TRUE(packed.take(access(AccessKind::kRead, 103), 9, 0));
  EXPECT_FALSE(packed.take(access(AccessKind::kRead, 102), 9, 0)) << "its own may be older";
  EXPECT_FALSE(packed.take(access(AccessKind::kRead, 103, true), 9, 0));
  EXPECT_FALSE(packed.take(access(AccessKind::kWrite, 103), 9, 1));
  ASSERT_TRUE(packed.pack({{}, {}, record(101), record(101), 0}, kBase));
  EXPECT_FALSE(packed.take(access(AccessKind::kRead, 103), 9, 0)) << "two of one workgroup";
}

TEST(PackedCell, ForgetsWhatIsInThePast) {
  PackedCell packed;
  constexpr CellBase kLater{155, 1000};
  ASSERT_TRUE(packed.pack({record(100), {}, record(150), record(160), 9}, kLater));
  const Cell out = packed.unpack(kLater);
  EXPECT_FALSE(out.write.present());
  EXPECT_EQ(out.read, record(160));
}

}  // namespace
}  // namespace wavetank::check
