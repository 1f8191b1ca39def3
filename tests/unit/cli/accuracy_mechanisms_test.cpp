// The mechanisms of the cycle model that `wavetank bench accuracy --mechanisms` switches off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "cli/bench/mechanism_report.hpp"
#include "cli/bench/mechanisms.hpp"
#include "target/builtin_devices.hpp"
#include "target/device_file.hpp"
#include "target/load_device.hpp"
#include "target/parameter_rows.hpp"

namespace wavetank::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

target::Device device_named(const char* name) { return target::load_device(name).value(); }

TEST(Mechanisms, EachChangesNumbersOfSomeDeviceToWhatTheirRowsAllow) {
  for (const Mechanism& mechanism : mechanisms()) {
    bool changes = false;
    for (const std::string& name : target::builtin_device_names()) {
      const target::Device before = device_named(name.c_str());
      const target::Device after = without(mechanism, before);
      for (const Neutral& neutral : mechanism.numbers) {
        const auto number = after.parameters.find(neutral.number);
        if (number == after.parameters.end()) continue;
        const target::ParameterRow* row = target::find_row(neutral.number);
        ASSERT_NE(row, nullptr) << neutral.number;
        EXPECT_THAT(target::problem_with(*row, number->second), IsEmpty());
        changes |= number->second.value != before.parameters.find(neutral.number)->second.value;
      }
    }
    EXPECT_TRUE(changes) << mechanism.name << " does nothing";
  }
}

TEST(Mechanisms, EachTouchesRowsThatArePublished) {
  std::ifstream file(std::filesystem::path(WAVETANK_ACCURACY_FOLDER) / "measured.csv");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::vector<AccuracyRow> rows = read_measured(text).value();
  std::set<std::string_view> names;
  for (const Mechanism& mechanism : mechanisms()) {
    EXPECT_TRUE(names.insert(mechanism.name).second) << mechanism.name << " stands twice";
    for (const RowChoice& choice : mechanism.rows) {
      EXPECT_TRUE(std::ranges::any_of(
          rows,
          [&](const AccuracyRow& row) {
            return row.family == choice.family &&
                   (row.kernel + " " + row.parameters).find(choice.filter) != std::string::npos;
          }))
          << choice.family << " " << choice.filter;
    }
  }
}

TEST(Mechanisms, ANeutralNumberMayBeTheSumOfOthers) {
  const target::Device mi210 = device_named("mi210");
  const auto overlap = std::ranges::find(mechanisms(), "overlapping launches", &Mechanism::name);
  ASSERT_NE(overlap, mechanisms().end());
  const target::Device serial = without(*overlap, mi210);
  const auto value = [](const target::Device& device, const char* name) {
    return device.parameters.find(name)->second.value;
  };
  EXPECT_EQ(value(serial, "launch.turnover"),
            value(mi210, "launch.start_latency") + value(mi210, "launch.end_latency"));
  EXPECT_EQ(value(serial, "launch.interval"), 0);
}

TEST(Mechanisms, ADescriptionGivesItsDevice) {
  for (const std::string& name : target::builtin_device_names()) {
    const target::Device before = device_named(name.c_str());
    const auto after = target::parse_device(description_of(before), "again.toml");
    ASSERT_TRUE(after.has_value()) << after.error().to_text();
    EXPECT_EQ(after->name, before.name);
    EXPECT_EQ(after->gfx(), before.gfx());
    EXPECT_EQ(after->compute_units, before.compute_units);
    ASSERT_EQ(after->parameters.size(), before.parameters.size());
    for (const auto& [key, number] : before.parameters) {
      const target::Parameter& read = after->parameters.find(key)->second;
      EXPECT_EQ(read.value, number.value) << key;
      EXPECT_EQ(read.unit, number.unit) << key;
      EXPECT_EQ(read.evidence, number.evidence) << key;
      EXPECT_EQ(read.source, number.source) << key;
      EXPECT_EQ(read.note, number.note) << key;
    }
  }
}

TEST(Mechanisms, ThePageSaysWhatEachIsWorth) {
  const MechanismEffect effect{.name = "translation",
                               .families = {"chase", "yax"},
                               .with = {"overall", 2, 5, 4, 0},
                               .without = {"overall", 30, -60, 4, 0},
                               .overall = {"overall", 8, -60, 147, 0}};
  const AccuracyMean with{"overall", 5, 9, 147, 0};
  const std::string page = mechanisms_markdown({effect}, with);
  EXPECT_THAT(page, HasSubstr("| translation | all addresses are translated at once | chase, yax "
                              "| 4 | 2.0 % | 30.0 % | 8.0 % |"));
  EXPECT_THAT(page, HasSubstr("that of all 147 rows is 5.0 %"));
  EXPECT_THAT(page, HasSubstr("**translation**: `translation.miss_latency` = 0 (measured: "));
  EXPECT_THAT(mechanisms_json({effect}, with).dump(), HasSubstr("\"percent_without\":30"));
}

}  // namespace
}  // namespace wavetank::cli
