#include "toolchain/source_lines.hpp"

#include <gtest/gtest.h>

namespace wavetank::toolchain {
namespace {

TEST(SourceLines, TheInnermostFrameOfTheProgramsOwnFilesIsTold) {
  const auto lines = parse_symbolizer(
      "__shfl(int)\n/usr/include/hip/amd_detail/amd_warp_functions.h:20:3\n"
      "scan(int*)\n/home/me/scan.hpp:7:12\n"
      "sums(int*)\n/home/me/app.hip:88:5\n"
      "\n");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], (SourceLine{"/home/me/scan.hpp", 7, 12, "scan(int*)", "__shfl(int)"}));
}

TEST(SourceLines, OnlyTheInnermostFrameSaysWhetherALineIsOfAHeader) {
  const auto lines = parse_symbolizer(
      "own()\n/home/me/a.hip:1:1\nsync()\n/usr/include/b.h:2:1\nk()\n/home/me/a.hip:3:1\n\n"
      "own()\n/home/me/a.hip:1:1\n\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].of_header + lines[1].of_header, "");
}

TEST(SourceLines, WithoutSuchAFrameTheOutermostThatIsKnownIsTold) {
  const auto lines = parse_symbolizer("a\n/usr/a.h:20:3\nb\n/opt/rocm/b.h:9:1\n??\n??:0:0\n\n");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], (SourceLine{"/opt/rocm/b.h", 9, 1, "b"}));
}

TEST(SourceLines, EachAnswerHasItsPlaceKnownOrNot) {
  const auto lines = parse_symbolizer("??\n??:0:0\n\n??\n/a:b.hip:3:0\n\nodd\nodd\n\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].line, 0u);
  EXPECT_EQ(lines[1], (SourceLine{"/a:b.hip", 3, 0, ""})) << "a colon in a name";
  EXPECT_EQ(lines[2].line, 0u);
}

TEST(SourceLines, TheStubThatLaunchesAKernelIsNoPlace) {
  const auto lines =
      parse_symbolizer("_Z19__device_stub__fillPi\n/a.hip:3:1\nmain\n/a.hip:12:5\n\n");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].line, 12u);
}

TEST(SourceLines, AnObjectWithoutDebugInformationStartsNoTool) {
  const std::vector<std::byte> object(64);
  EXPECT_FALSE(has_debug_information(object));
  EXPECT_EQ(source_lines_as_known(object, {0, 4}), std::vector<SourceLine>(2));
}

}  // namespace
}  // namespace wavetank::toolchain
