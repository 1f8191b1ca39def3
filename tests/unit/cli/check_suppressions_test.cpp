#include "cli/check/suppressions.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/check/text.hpp"
#include "unit/cli/checked_run.hpp"

namespace wavetank::cli {
namespace {

/// True if an entry of these keys fits the race of two_findings().
bool fits_race(const std::string& keys) {
  const auto entries = parse_suppressions("[[ok]]\n" + keys, "file");
  EXPECT_TRUE(entries) << keys << (entries ? "" : entries.error().to_text());
  return entries && entries->size() == 1 &&
         entries->front().fits(two_findings().findings[0].diagnosis);
}

TEST(Suppressions, AnEntryFitsByItsKind) {
  EXPECT_TRUE(fits_race("code = 'E0310'"));
  EXPECT_FALSE(fits_race("code = 'E0311'"));
}

TEST(Suppressions, AnEntryFitsByFileAndLineOfEitherPlace) {
  EXPECT_TRUE(fits_race("file = 'race.hip'"));
  EXPECT_TRUE(fits_race("file = 'app/*.hip'"));
  EXPECT_TRUE(fits_race("file = '/src/*'"));
  EXPECT_FALSE(fits_race("file = 'ace.hip'")) << "names begin behind a slash";
  EXPECT_TRUE(fits_race("file = 'race.hip'\nline = 12"));
  EXPECT_TRUE(fits_race("file = 'race.hip'\nline = 17"));
  EXPECT_FALSE(fits_race("file = 'race.hip'\nline = 13"));
}

TEST(Suppressions, AnEntryFitsByFunctionOrKernel) {
  EXPECT_TRUE(fits_race("function = 'put'"));
  EXPECT_TRUE(fits_race("function = 'put<int>'"));
  EXPECT_TRUE(fits_race("function = 'put<int>(int\\*)'"));
  EXPECT_TRUE(fits_race("function = 'trans*'")) << "the kernel, without what it returns";
  EXPECT_FALSE(fits_race("function = 'take'"));
  EXPECT_FALSE(fits_race("function = 'put'\ncode = 'E0312'")) << "all keys must fit";
  EXPECT_FALSE(fits_race("function = 'put'\nfile = 'race.hip'\nline = 16"));
}

TEST(Suppressions, AMistakeInTheFileIsNamedWithItsLine) {
  const auto error_of = [](const char* text) {
    const auto entries = parse_suppressions(text, "f");
    return entries ? std::string("none") : entries.error().where + " " + entries.error().message;
  };
  EXPECT_EQ(error_of("\n[[ok]]\nreason = 'all'\n"),
            "f:2:1 an entry for everything: name a code, a file or a function");
  EXPECT_EQ(error_of("[[ok]]\nkind = 'E0310'\n"), "f:2:8 an entry has no kind");
  EXPECT_EQ(error_of("[[ok]]\ncode = '310'\n"), "f:1:1 310 is no code as E0310 is");
  EXPECT_EQ(error_of("[[ok]]\nfile = 'a'\nline = 0\n"), "f:3:8 line is no number of a line");
  EXPECT_EQ(error_of("[ok]\ncode = 'E0310'\n"), "f:1:1 \"ok\" is no list of entries");
  EXPECT_NE(error_of("[[ok\n"), "none");
}

TEST(Suppressions, ACommentStandsOnItsLineOrAloneAbove) {
  const auto own = suppression_comment("  x[i] = 1;  // wavetank: ok E0310 same value", false);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->code, "E0310");
  EXPECT_EQ(own->reason, "same value");
  EXPECT_FALSE(suppression_comment("  x[i] = 1;  // wavetank: ok", true)) << "of that line only";
  const auto above = suppression_comment("\t// wavetank: ok", true);
  ASSERT_TRUE(above);
  EXPECT_EQ(above->code + above->reason, "");
  EXPECT_FALSE(suppression_comment("// wavetank: okay", false));
  EXPECT_FALSE(suppression_comment("puts(\"wavetank: ok\");", false)) << "no comment";
}

TEST(Suppressions, AnUnusedEntryIsNamed) {
  Suppressions suppressions(
      *parse_suppressions("[[ok]]\ncode='E0310'\nreason='so'\n[[ok]]\ncode='E0312'\n", "f"));
  SourceText sources;
  const auto by = suppressions.of(two_findings().findings[0].diagnosis, sources);
  ASSERT_TRUE(by);
  EXPECT_EQ(by->place, "f:1");
  EXPECT_EQ(by->reason, "so");
  EXPECT_FALSE(suppressions.of(two_findings().findings[1].diagnosis, sources));
  const auto unused = suppressions.unused({}, sources);
  ASSERT_EQ(unused.size(), 1u);
  EXPECT_EQ(unused[0].level, check::Level::kNote);
  EXPECT_EQ(unused[0].spots[0].place(), "f:4");
}

TEST(Suppressions, ACommentOfAnotherKindSuppressesNothing) {
  const std::string path = ::testing::TempDir() + "check_suppressions_test.hip";
  std::ofstream(path) << "// wavetank: ok E0314\na[0] = 1;\n// wavetank: ok E0310 so\na[1] = 1;\n";
  check::Diagnosis race = two_findings().findings[0].diagnosis;
  SourceText sources;
  Suppressions suppressions({});
  race.spots[0].source = {path, 2};
  EXPECT_FALSE(suppressions.of(race, sources));
  race.spots[0].source = {path, 4};
  const auto by = suppressions.of(race, sources);
  ASSERT_TRUE(by);
  EXPECT_EQ(by->place, "check_suppressions_test.hip:3");
  std::filesystem::remove(path);
}

TEST(Suppressions, AnUnusedCommentIsNamedByItsLine) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "unused_comments.hip")
      << "// wavetank: ok E0312\na[0] = 1;  // wavetank: ok\nb[0] = 1;  // wavetank: ok\n";
  check::Diagnosis race = two_findings().findings[0].diagnosis;
  race.spots[0].source = {folder + "./unused_comments.hip", 2};
  race.spots[1].source = {folder + "./unused_comments.hip", 3};
  SourceText sources;
  Suppressions suppressions({});
  const std::string file = folder + "unused_comments.hip";
  EXPECT_EQ(suppressions.unused({file}, sources).size(), 3u);
  ASSERT_TRUE(suppressions.of(race, sources));
  const auto unused = suppressions.unused({file, folder + "./unused_comments.hip"}, sources);
  ASSERT_EQ(unused.size(), 1u) << "both places' comments are used, of another kind's not";
  EXPECT_EQ(unused[0].code, ErrorCode::kUnusedSuppression);
  EXPECT_EQ(unused[0].spots[0].place(), "unused_comments.hip:1");
  std::filesystem::remove(file);
}

TEST(Suppressions, TheFileIsLookedForUpwards) {
  const std::filesystem::path folder = ::testing::TempDir() + "suppressions_upwards";
  std::filesystem::create_directories(folder / "a/b");
  std::ofstream(folder / ".wavetank-check") << "";
  EXPECT_EQ(find_suppressions(folder / "a/b"), folder / ".wavetank-check");
  std::filesystem::remove_all(folder);
}

TEST(Suppressions, WhatIsSuppressedIsCountedApart) {
  CheckedRun run = two_findings();
  EXPECT_EQ(check_summary(run, Style::plain()), "1 error, 1 note in 7 launches");
  run.findings[0].suppressed = Suppression{"race.hip:12", ""};
  EXPECT_EQ(check_summary(run, Style::plain()), "no error, 1 note in 7 launches, 1 suppressed");
}

TEST(CheckSummary, CountsErrorsByTheirKindsIfThereAreSeveral) {
  CheckedRun run = two_findings();
  run.findings.push_back(run.findings[0]);
  EXPECT_EQ(check_summary(run, Style::plain()), "2 errors, 1 note in 7 launches");
  run.findings[1].diagnosis.level = check::Level::kError;
  EXPECT_EQ(check_summary(run, Style::plain()), "3 errors (2 E0310, 1 E0314) in 7 launches");
}

TEST(CheckSummary, AProgramWithoutHipIsNotSaidToHaveBrokenOff) {
  CheckedRun run;
  EXPECT_EQ(check_summary(run, Style::plain()),
            "nothing was checked: the program called no function of HIP, or left by _exit");
  run.exit_status = 134;
  EXPECT_EQ(check_summary(run, Style::plain()),
            "no error in what ran before the program broke off");
}

}  // namespace
}  // namespace wavetank::cli
