#include "check/memory_shadow.hpp"

#include <gtest/gtest.h>

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
  shadow.line(7).visit(0, kLineBytes, {},
                       [](Cell& cell, unsigned, unsigned) { cell.write.actor = 1; });
  shadow.line(700000);
  shadow.line(7).visit(0, kLineBytes, {},
                       [](Cell& cell, unsigned, unsigned) { EXPECT_EQ(cell.write.actor, 1u); });
}

}  // namespace
}  // namespace wavetank::check
