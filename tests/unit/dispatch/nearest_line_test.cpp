#include "dispatch/nearest_line.hpp"

#include <gtest/gtest.h>

namespace wavetank::dispatch {
namespace {

/// Code of which only what lies below `end` has lines: one for each 16 bytes.
AskLines lines_below(std::uint64_t end) {
  return [end](const std::vector<std::uint64_t>& addresses) {
    std::vector<SourceLine> lines;
    for (const std::uint64_t address : addresses) {
      SourceLine line;
      if (address < end) {
        line.file = "code.hip";
        line.line = static_cast<unsigned>(address / 16);
        line.column = 7;
      }
      lines.push_back(line);
    }
    return lines;
  };
}

TEST(NearestLine, IsThatOfThePlaceBeforeWithoutItsColumn) {
  const SourceLine line = nearest_line(0x1040, 0x1000, lines_below(0x1020));
  EXPECT_EQ(line.line, 0x101u);
  EXPECT_EQ(line.column, 0u);
}

TEST(NearestLine, IsNoneOfOtherCodeOrOfPlacesFarAway) {
  EXPECT_FALSE(nearest_line(0x1040, 0x1020, lines_below(0x1020)).is_known());
  EXPECT_FALSE(nearest_line(0x1400, 0x1000, lines_below(0x1020)).is_known());
}

}  // namespace
}  // namespace wavetank::dispatch
