// The arithmetic of `wavetank bench accuracy`: errors, means, order, and joining by names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cli/accuracy_report.hpp"
#include "cli/accuracy_suite.hpp"

namespace wavetank::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kTable =
    "family,device,kernel,parameters,metric,value,unit,source\n"
    "copy,mi210,\"c=a, doubles\",n=1,time,10,us,somebody\n"
    "copy,mi210,\"c=a, doubles\",n=2,time,20,us,somebody\n"
    "chain,gfx942,mfma,N=1,extra cycles,0.02,cycles,\"a \"\"page\"\"\"\n";

std::vector<AccuracyRow> joined(std::string_view output) {
  std::vector<AccuracyRow> rows = read_measured(kTable).value();
  join_output(output, rows);
  return rows;
}

TEST(Accuracy, CellsInQuotesKeepTheirCommas) {
  EXPECT_THAT(csv_cells("a,\"b,c\",,\"d\"\"e\"\r"), ElementsAre("a", "b,c", "", "d\"e"));
  EXPECT_THAT(csv_cells(""), ElementsAre(""));
}

TEST(Accuracy, AMeasuredRowHasEightCellsAndANumber) {
  const std::vector<AccuracyRow> rows = read_measured(kTable).value();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].kernel, "c=a, doubles");
  EXPECT_EQ(rows[2].source, "a \"page\"");
  EXPECT_EQ(read_measured("head\na,b,c,d,e,1,f\n").error().where, "measured.csv:2");
  EXPECT_FALSE(read_measured("head\na,b,c,d,e,fast,f,g\n").has_value());
}

TEST(Accuracy, AProgramsLineIsJoinedByItsFirstFiveCells) {
  const std::vector<AccuracyRow> rows = joined(
      "some text\ncopy,mi210,\"c=a, doubles\",n=2,time,25,us\ncopy,mi210,other,n=1,time,1,us\n");
  EXPECT_FALSE(rows[0].simulated.has_value());
  EXPECT_EQ(rows[1].simulated, 25);
}

TEST(Accuracy, TheErrorIsSignedAndRelativeToTheMeasuredValue) {
  const std::vector<AccuracyRow> rows = joined(
      "copy,mi210,\"c=a, doubles\",n=1,time,9,us\n"
      "chain,gfx942,mfma,N=1,extra cycles,0.42,c\n");
  EXPECT_DOUBLE_EQ(rows[0].error_percent().value(), -10);
  EXPECT_FALSE(rows[1].error_percent().has_value());
  EXPECT_DOUBLE_EQ(rows[2].error_percent().value(), 10) << "of the 4 cycles of an issue slot";
}

TEST(Accuracy, MeansAreOfAbsoluteErrorsAndCountWhatIsMissing) {
  const AccuracySummary summary =
      summarize(joined("copy,mi210,\"c=a, doubles\",n=1,time,9,us\n"
                       "copy,mi210,\"c=a, doubles\",n=2,time,26,us\n"));
  ASSERT_EQ(summary.families.size(), 2u);
  EXPECT_DOUBLE_EQ(summary.families[0].percent, 20);
  EXPECT_EQ(summary.families[1].missing, 1u);
  EXPECT_EQ(summary.overall.rows, 2u);
  EXPECT_EQ(summary.overall.missing, 1u);
}

TEST(Accuracy, TheOrderIsWrongWhenTheFasterIsSimulatedSlower) {
  EXPECT_TRUE(summarize(joined("copy,mi210,\"c=a, doubles\",n=1,time,9,us\n"
                               "copy,mi210,\"c=a, doubles\",n=2,time,10,us\n"))
                  .orders[0]
                  .right);
  const AccuracyOrder wrong = summarize(joined("copy,mi210,\"c=a, doubles\",n=1,time,11,us\n"
                                               "copy,mi210,\"c=a, doubles\",n=2,time,10,us\n"))
                                  .orders[0];
  EXPECT_FALSE(wrong.right);
  EXPECT_EQ(wrong.first_wrong, "n=1 is not below n=2");
}

TEST(Accuracy, AWrongOrderOfOneParameterNamesTheKernels) {
  std::vector<AccuracyRow> rows = read_measured(
                                      "family,device,kernel,parameters,metric,value,unit,source\n"
                                      "chain,mi300x,add,waves=8,time,10,us,somebody\n"
                                      "chain,mi300x,mul,waves=8,time,20,us,somebody\n")
                                      .value();
  rows[0].simulated = 30;
  rows[1].simulated = 20;
  EXPECT_EQ(summarize(rows).orders[0].first_wrong, "waves=8 (add) is not below waves=8 (mul)");
}

TEST(Accuracy, TheWorstRowComesFirstAndMissingOnesLast) {
  const std::vector<AccuracyRow> rows =
      worst_first(joined("copy,mi210,\"c=a, doubles\",n=2,time,40,us\n"
                         "chain,gfx942,mfma,N=1,extra cycles,0,c\n"));
  EXPECT_EQ(rows[0].parameters, "n=2");
  EXPECT_FALSE(rows[2].simulated.has_value());
}

TEST(Accuracy, EveryPublishedFamilyHasItsProgram) {
  const std::filesystem::path folder = WAVETANK_ACCURACY_FOLDER;
  std::ifstream file(folder / "measured.csv");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto rows = read_measured(text);
  ASSERT_TRUE(rows.has_value()) << rows.error().to_text();
  EXPECT_GT(rows->size(), 100u);
  for (const AccuracyRow& row : *rows) {
    std::string program = row.family;
    std::replace(program.begin(), program.end(), '-', '_');
    EXPECT_TRUE(std::filesystem::exists(folder / (program + ".hip"))) << row.family;
    EXPECT_FALSE(row.source.empty()) << row.family;
  }
}

TEST(Accuracy, EveryViewSaysThatNothingWasMeasuredHere) {
  const std::vector<AccuracyRow> rows = joined("");
  EXPECT_THAT(accuracy_text(rows), HasSubstr("No number below was measured by this project"));
  EXPECT_THAT(accuracy_markdown(rows), HasSubstr("No number below was measured by this project"));
  EXPECT_THAT(accuracy_json(rows).dump(), HasSubstr("measured by this project"));
  EXPECT_THAT(accuracy_text(rows), HasSubstr("missing"));
}

}  // namespace
}  // namespace wavetank::cli
