#include "check/memory_shadow.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace wavetank::check {
namespace {

struct Seen {
  unsigned first, bytes;
  bool operator==(const Seen&) const = default;
};

std::vector<Seen> visited(ShadowLine& line, unsigned begin, unsigned end) {
  std::vector<Seen> seen;
  line.visit(begin, end, {},
             [&](Cell&, unsigned first, unsigned bytes) { seen.push_back({first, bytes}); });
  return seen;
}

TEST(ShadowLine, AWholeLineIsOneCell) {
  ShadowLine line;
  EXPECT_EQ(visited(line, 0, kLineBytes), (std::vector<Seen>{{0, kLineBytes}}));
}

TEST(ShadowLine, APartSplitsItIntoTheLargestCellsThatFit) {
  ShadowLine line;
  EXPECT_EQ(visited(line, 64, 128), (std::vector<Seen>{{64, 64}}));
  EXPECT_EQ(visited(line, 8, 16), (std::vector<Seen>{{8, 8}}));
  EXPECT_EQ(visited(line, 4, 12), (std::vector<Seen>{{4, 4}, {8, 4}}));
  EXPECT_EQ(visited(line, 9, 11), (std::vector<Seen>{{9, 1}, {10, 1}}));
  EXPECT_EQ(visited(line, 0, kLineBytes).size(), kLineBytes);
}

TEST(ShadowLine, SplittingKeepsWhatWasKnown) {
  ShadowLine line;
  line.visit(0, kLineBytes, {}, [](Cell& cell, unsigned, unsigned) { cell.write.actor = 3; });
  line.visit(4, 8, {}, [](Cell& cell, unsigned, unsigned) {
    EXPECT_EQ(cell.write.actor, 3u);
    cell.write.actor = 4;
  });
  line.visit(5, 6, {}, [](Cell& cell, unsigned, unsigned) { EXPECT_EQ(cell.write.actor, 4u); });
  line.visit(8, 9, {}, [](Cell& cell, unsigned, unsigned) { EXPECT_EQ(cell.write.actor, 3u); });
}

TEST(MemoryShadow, LinesAreFoundAgain) {
  MemoryShadow shadow;
  shadow.line(7, {}).visit(0, kLineBytes, {},
                           [](Cell& cell, unsigned, unsigned) { cell.write.actor = 1; });
  shadow.line(700000, {});
  shadow.line(7, {}).visit(0, kLineBytes, {},
                           [](Cell& cell, unsigned, unsigned) { EXPECT_EQ(cell.write.actor, 1u); });
}

constexpr CellBase kBase{100, 1000};

/// An access of lane 0 of a wave, at time 2.
PackedAccess access(AccessKind kind, std::uint32_t actor, unsigned wave = 1,
                    std::uint32_t site = 1001) {
  return PackedAccess::of(Record::of(actor, wave, 2, site, 0), kind, false, kBase);
}

/// A launch's accesses to whole lines.
struct Lines {
  Lines() { shadow.begin_launch(); }
  bool take(std::uint64_t line, const PackedAccess& now, std::uint32_t value = 9) {
    return shadow.take(line, now, 5, [&] { return value; });
  }
  MemoryShadow shadow;
};

TEST(MemoryShadow, AWordIsEnoughForOneWavesLine) {
  Lines lines;
  EXPECT_TRUE(lines.take(3, access(AccessKind::kRead, 100)));
  EXPECT_TRUE(lines.take(3, access(AccessKind::kRead, 100)));
  EXPECT_TRUE(lines.take(3, access(AccessKind::kWrite, 100)));
  EXPECT_TRUE(lines.take(3, access(AccessKind::kWrite, 100)));
  EXPECT_FALSE(lines.take(3, access(AccessKind::kRead, 100))) << "the store may not be forgotten";
  EXPECT_FALSE(lines.take(3, access(AccessKind::kWrite, 100, 2))) << "another wave's";
  EXPECT_FALSE(lines.take(3, access(AccessKind::kWrite, 101))) << "another workgroup's";
  EXPECT_FALSE(lines.take(4, access(AccessKind::kAtomic, 100)));
}

TEST(MemoryShadow, ALinesCellsBeginWithWhatWasKnownOfIt) {
  Lines lines;
  lines.take(3, access(AccessKind::kWrite, 104, 7), 77);
  lines.shadow.line(3, kBase).visit(0, kLineBytes, {3 * kLineBytes, kBase},
                                    [](Cell& cell, unsigned, unsigned) {
                                      EXPECT_EQ(cell.write.actor, 104u);
                                      EXPECT_EQ(cell.write.wave(), 7u);
                                      EXPECT_EQ(cell.write.site(), 1001u);
                                      EXPECT_EQ(cell.write.lane(), 5u);
                                      EXPECT_EQ(cell.value, 77u);
                                      EXPECT_FALSE(cell.read.present());
                                    });
  EXPECT_FALSE(lines.take(3, access(AccessKind::kWrite, 104, 7))) << "it has cells now";
  lines.shadow.line(2, kBase).visit(
      0, kLineBytes, {2 * kLineBytes, kBase},
      [](Cell& cell, unsigned, unsigned) { EXPECT_FALSE(cell.write.present()); });
}

TEST(MemoryShadow, ALaunchForgetsTheOneBefore) {
  Lines lines;
  lines.take(3, access(AccessKind::kWrite, 100));
  lines.shadow.line(4, kBase);
  lines.shadow.begin_launch();
  EXPECT_TRUE(lines.take(3, access(AccessKind::kRead, 101)));
  EXPECT_TRUE(lines.take(4, access(AccessKind::kRead, 101)));
}

TEST(MemoryShadow, GivesBackWhatNoLaunchComesToAnyMore) {
  constexpr std::uint64_t kLaunches = 10'000, kLinesApart = 1 << 20;
  Lines lines;
  for (std::uint64_t launch = 0; launch < kLaunches; ++launch) {
    lines.shadow.begin_launch();
    EXPECT_TRUE(lines.take(launch * kLinesApart, access(AccessKind::kRead, 100)));
    lines.shadow.line(launch * kLinesApart + 1, kBase);
  }
  EXPECT_LT(lines.shadow.known_bytes(), std::uint64_t{100} << 16);
  EXPECT_FALSE(lines.take((kLaunches - 1) * kLinesApart, access(AccessKind::kRead, 101)));
}

TEST(MemoryShadow, TellsWhatALaunchUsedByInstructions) {
  Lines lines;
  for (const std::uint64_t line : {3, 4, 5}) {
    lines.take(line, access(AccessKind::kWrite, 100 + static_cast<std::uint32_t>(line)));
  }
  lines.take(6, access(AccessKind::kRead, 100));
  lines.take(7, access(AccessKind::kRead, 100, 1, 1002));
  lines.shadow.line(8, kBase).visit(
      0, 64, {8 * kLineBytes, kBase},
      [](Cell& cell, unsigned, unsigned) { cell.read = Record::of(101, 0, 2, 1003, 0); });
  std::vector<std::pair<std::uint64_t, unsigned>> seen;
  lines.shadow.visit_used(kBase, [&](const Cell& cell, std::uint64_t address, unsigned bytes) {
    if (cell.write.present() || cell.read.present()) seen.push_back({address, bytes});
  });
  EXPECT_EQ(seen, (std::vector<std::pair<std::uint64_t, unsigned>>{
                      {384, 384}, {768, 128}, {896, 128}, {1024, 64}}));
}

}  // namespace
}  // namespace wavetank::check
