#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/source_line.hpp"

namespace wavetank {
namespace {

TEST(SourceLine, ItsShortTextLeavesOutTheFolder) {
  EXPECT_EQ((SourceLine{"/home/me/race.hip", 13}).short_text(), "race.hip:13");
  EXPECT_EQ((SourceLine{"race.hip", 13}).short_text(), "race.hip:13");
  EXPECT_EQ(SourceLine{}.short_text(), "");
}

TEST(SourceText, GivesALineWithoutItsEndOfAnyKind) {
  const std::string path = ::testing::TempDir() + "source_line_test.hip";
  std::ofstream(path) << "first\nsecond\r\nlast";
  SourceText text;
  ASSERT_NE(text.line_of(path, 2), nullptr);
  EXPECT_EQ(*text.line_of(path, 2), "second");
  EXPECT_EQ(*text.line_of({path, 3}), "last");
  EXPECT_EQ(text.line_of(path, 4), nullptr);
  EXPECT_EQ(text.line_of(path, 0), nullptr) << "lines count from 1";
  std::filesystem::remove(path);
}

TEST(SourceText, KnowsNothingOfAFileThatIsNotThere) {
  SourceText text;
  EXPECT_EQ(text.line_of("/no/such/file.hip", 1), nullptr);
}

}  // namespace
}  // namespace wavetank
