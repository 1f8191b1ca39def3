// The rows of a description's numbers, and what descriptions may say by them.
#include "target/parameter_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "target/builtin_devices.hpp"
#include "target/device_file.hpp"
#include "target/load_device.hpp"

namespace wavetank::target {
namespace {

using ::testing::HasSubstr;

/// A number's line, added to what mi210 says or instead of its own.
Result<Device> with(const std::string& section, const std::string& key, const std::string& value,
                    const std::string& unit) {
  return parse_device("name = \"mine\"\nbase = \"mi210\"\n[" + section + "]\n" + key +
                          " = { value = " + value + ", unit = \"" + unit +
                          "\", kind = \"assumed\", source = \"me\" }\n",
                      "mine.toml");
}

TEST(ParameterRows, HaveNamesOfTheirOwnUnitsRangesAndMeanings) {
  std::set<std::string_view> names;
  for (const ParameterRow& row : parameter_rows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.unit.empty()) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    EXPECT_LE(row.lowest, row.highest) << row.name;
    EXPECT_EQ(find_row(row.name), &row);
  }
}

TEST(ParameterRows, EachIsOfABuiltInDevice) {
  std::set<std::string, std::less<>> used;
  for (const std::string& name : builtin_device_names()) {
    const Device device = *load_device(name);
    for (const auto& [key, parameter] : device.parameters) used.insert(key);
  }
  for (const ParameterRow& row : parameter_rows()) {
    if (row.name.starts_with("clock_levels.")) continue;
    EXPECT_TRUE(used.contains(row.name)) << row.name;
  }
}

TEST(ParameterRows, BothEndsOfARangeAreInside) {
  for (const ParameterRow& row : parameter_rows()) {
    const auto problem = [&](double value) {
      return problem_with(row, {value, std::string(row.unit), Evidence::kAssumed, "me", ""});
    };
    EXPECT_EQ(problem(row.lowest), "");
    EXPECT_EQ(problem(row.highest), "");
    EXPECT_THAT(problem(row.lowest - 1), HasSubstr(std::string(row.name) + " = "));
    EXPECT_THAT(problem(row.highest * 2 + 1), HasSubstr(" to "));
    EXPECT_EQ(problem((row.lowest + 0.5)).empty(),
              row.type == NumberType::kReal && row.lowest + 0.5 <= row.highest)
        << row.name;
  }
}

TEST(ParameterRows, AnotherUnitIsRefusedWithTheRightOneAndNanosecondsAsCycles) {
  EXPECT_TRUE(with("hbm", "latency", "600", "cycles"));
  const Error error = with("hbm", "latency", "600", "ns").error();
  EXPECT_EQ(error.message, "hbm.latency is given in ns; cycles is expected");
  EXPECT_EQ(error.where, "mine.toml:4:11");
  EXPECT_THAT(error.help, HasSubstr("600 ns are 1020 cycles of 1700 MHz"));
  EXPECT_THAT(with("launch", "start_latency", "600", "cycles").error().message,
              HasSubstr("ns is expected"));
  EXPECT_THAT(with("l2", "channels", "32", "cycles").error().message,
              HasSubstr("channels is expected"));
}

TEST(ParameterRows, ACountOfNothingIsRefused) {
  for (const ParameterRow& row : parameter_rows()) {
    for (const char* const unit : {"channels", "ways", "banks", "slices", "bytes/cycle", "lines",
                                   "entries", "pairs", "CU", "SE", "XCD", "SIMD"}) {
      if (row.unit != unit) continue;
      EXPECT_GT(row.lowest, 0) << row.name;
    }
  }
  EXPECT_TRUE(with("l2", "channels", "1", "channels"));
  EXPECT_THAT(with("l2", "channels", "0", "channels").error().message,
              HasSubstr("l2.channels = 0 is not a whole number from 1"));
  EXPECT_FALSE(with("l2", "channels", "1.5", "channels"));
}

TEST(ParameterRows, AnUnknownNameIsRefusedWithTheNearestOne) {
  const Error error = with("hbm", "latencey", "600", "cycles").error();
  EXPECT_EQ(error.code, ErrorCode::kBadDevice);
  EXPECT_EQ(error.message, "nothing is called hbm.latencey");
  EXPECT_EQ(error.where, "mine.toml:4:12");
  EXPECT_THAT(error.help, HasSubstr("the nearest name is hbm.latency;"));
  EXPECT_THAT(with("L2", "channels", "8", "channels").error().help, HasSubstr("l2.channels"));
  EXPECT_EQ(nearest_name(std::string(1000, 'x') + "l2.ways").empty(), false);
}

TEST(ParameterRows, QuotedFiguresHaveAnyNameAndUnit) {
  EXPECT_TRUE(with("quoted", "anything", "0", "parsecs"));
}

TEST(ParameterRows, WhatIsNeitherANumberNorKnownAtTheTopIsRefused) {
  const auto top = [](const std::string& line) {
    return parse_device("name = \"mine\"\nbase = \"mi210\"\n" + line + "\n", "mine.toml");
  };
  EXPECT_TRUE(top("unified_memory = true"));
  EXPECT_THAT(top("unified_memory = 1").error().message, HasSubstr("true or false"));
  EXPECT_THAT(top("unified = true").error().message, HasSubstr("unified stands outside"));
  EXPECT_THAT(top("[hbm]\nlatency = { value = 600, unit = \"cycles\", kind = \"assumed\", "
                  "source = \"me\", sauce = \"me\" }")
                  .error()
                  .message,
              HasSubstr("hbm.latency has a sauce"));
}

struct Filled {
  std::uint32_t channels = 0;
  double efficiency = 0;
  bool at_memory = false;
};

TEST(ParameterRows, FillMembersAndSayWhichIsMissing) {
  constexpr auto kBindings =
      std::to_array<Binding<Filled>>({{"l2.channels", &Filled::channels},
                                      {"l2.read_efficiency", &Filled::efficiency},
                                      {"atomic.at_memory", &Filled::at_memory}});
  Device device = *load_device("mi300x");
  Filled filled;
  EXPECT_EQ(fill(device, kBindings, filled), "");
  EXPECT_EQ(filled.channels, 16u);
  EXPECT_EQ(filled.efficiency, 0.8);
  EXPECT_TRUE(filled.at_memory);
  device.parameters.at("l2.channels").value = 0;
  EXPECT_THAT(fill(device, kBindings, filled), HasSubstr("l2.channels = 0"));
  device.parameters.erase("l2.channels");
  EXPECT_EQ(fill(device, kBindings, filled), "l2.channels is missing, which timing needs");
}

}  // namespace
}  // namespace wavetank::target
