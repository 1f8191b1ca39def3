// The arithmetic of `wavetank bench accuracy`: errors, means, order, and joining by names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "cli/bench/plot.hpp"
#include "cli/bench/report.hpp"
#include "cli/bench/suite.hpp"

namespace wavetank::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

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
      "some text\ncopy,mi210,\"c=a, "
      "doubles\",n=2,time,25,us,1\ncopy,mi210,other,n=1,time,1,us,1\n");
  EXPECT_FALSE(rows[0].simulated.has_value());
  EXPECT_EQ(rows[1].simulated, 25);
  EXPECT_EQ(rows[1].launch, 1u);
}

TEST(Accuracy, TheErrorIsSignedAndRelativeToTheMeasuredValue) {
  const std::vector<AccuracyRow> rows = joined(
      "copy,mi210,\"c=a, doubles\",n=1,time,9,us,1\n"
      "chain,gfx942,mfma,N=1,extra cycles,0.42,c,1\n");
  EXPECT_DOUBLE_EQ(rows[0].error_percent().value(), -10);
  EXPECT_FALSE(rows[1].error_percent().has_value());
  EXPECT_DOUBLE_EQ(rows[2].error_percent().value(), 10) << "of the 4 cycles of an issue slot";
}

TEST(Accuracy, MeansAreOfAbsoluteErrorsAndCountWhatIsMissing) {
  const AccuracySummary summary =
      summarize(joined("copy,mi210,\"c=a, doubles\",n=1,time,9,us,1\n"
                       "copy,mi210,\"c=a, doubles\",n=2,time,26,us,1\n"));
  ASSERT_EQ(summary.families.size(), 2u);
  EXPECT_DOUBLE_EQ(summary.families[0].percent, 20);
  EXPECT_EQ(summary.families[1].missing, 1u);
  EXPECT_EQ(summary.overall.rows, 2u);
  EXPECT_EQ(summary.overall.missing, 1u);
}

TEST(Accuracy, LimitersAreThoseOfTheRowsLaunchesMostRowsFirst) {
  std::vector<AccuracyRow> rows = joined(
      "copy,mi210,\"c=a, doubles\",n=1,time,9,us,1\n"
      "copy,mi210,\"c=a, doubles\",n=2,time,25,us,2\n"
      "chain,gfx942,mfma,N=1,extra cycles,0.42,c,1\n");
  rows[0].limiter = rows[1].limiter = "HBM bandwidth";
  const AccuracySummary summary = summarize(rows);
  ASSERT_EQ(summary.limiters.size(), 1u) << "the last row has none";
  EXPECT_EQ(summary.limiters[0].name, "HBM bandwidth");
  EXPECT_EQ(summary.limiters[0].rows, 2u);
  EXPECT_DOUBLE_EQ(summary.limiters[0].percent, 17.5);
  EXPECT_DOUBLE_EQ(summary.limiters[0].worst_percent, 25);
  rows[2].limiter = rows[0].limiter = "the VALU";
  EXPECT_EQ(summarize(rows).limiters[0].name, "the VALU");
  EXPECT_THAT(accuracy_markdown(rows).value(), HasSubstr("| the VALU | 2 | 10.0 % | -10.0 % |"));
}

TEST(Accuracy, ThePictureHasAPointForEachRowWithPlaceOnItsAxes) {
  const std::vector<AccuracyRow> rows = joined(
      "copy,mi210,\"c=a, doubles\",n=1,time,9,us,1\n"
      "chain,gfx942,mfma,N=1,extra cycles,0.42,c,1\n");
  const std::string svg = accuracy_svg(rows);
  EXPECT_THAT(svg, HasSubstr("mi210, c=a, doubles n=1: measured 10, simulated 9 us"));
  EXPECT_THAT(svg, Not(HasSubstr("n=2"))) << "not simulated";
  EXPECT_THAT(svg, Not(HasSubstr("mfma"))) << "less than a cycle";
  EXPECT_THAT(svg, HasSubstr(">chain<")) << "its panel says what is left out";
  EXPECT_THAT(svg, HasSubstr(">1 not drawn<"));
}

TEST(Accuracy, APointOfEqualValuesLiesOnTheDiagonal) {
  const auto circle = [](double simulated) {
    std::vector<AccuracyRow> rows = joined("");
    rows.resize(1);
    rows[0].simulated = simulated;
    const std::string svg = accuracy_svg(rows);
    const std::size_t at = svg.rfind("<circle cx=\"");
    double x = 0, y = 0;
    std::sscanf(svg.c_str() + at, "<circle cx=\"%lf\" cy=\"%lf\"", &x, &y);
    return std::pair(x, y);
  };
  // A panel's lower left corner is at (56, 272); y grows downwards.
  const auto [x, y] = circle(10);
  EXPECT_NEAR(x - 56, 272 - y, 0.011);
  const auto [x_above, y_above] = circle(12);
  EXPECT_GT(272 - y_above, x_above - 56);
}

TEST(Accuracy, TheOrderIsWrongWhenTheFasterIsSimulatedSlower) {
  EXPECT_TRUE(summarize(joined("copy,mi210,\"c=a, doubles\",n=1,time,9,us,1\n"
                               "copy,mi210,\"c=a, doubles\",n=2,time,10,us,1\n"))
                  .orders[0]
                  .right);
  const AccuracyOrder wrong = summarize(joined("copy,mi210,\"c=a, doubles\",n=1,time,11,us,1\n"
                                               "copy,mi210,\"c=a, doubles\",n=2,time,10,us,1\n"))
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
      worst_first(joined("copy,mi210,\"c=a, doubles\",n=2,time,40,us,1\n"
                         "chain,gfx942,mfma,N=1,extra cycles,0,c,1\n"));
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
  EXPECT_THAT(accuracy_markdown(rows).value(),
              HasSubstr("No number below was measured by this project"));
  EXPECT_THAT(accuracy_json(rows).dump(), HasSubstr("measured by this project"));
  EXPECT_THAT(accuracy_text(rows), HasSubstr("missing"));
}

}  // namespace
}  // namespace wavetank::cli
