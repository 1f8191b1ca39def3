// The numbers of the devices by how they are known.
#include "cli/devices/evidence_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "target/builtin_devices.hpp"
#include "target/device_file.hpp"
#include "target/load_device.hpp"
#include "target/parameter_rows.hpp"

namespace wavetank::cli {
namespace {

using ::testing::HasSubstr;

TEST(EvidenceTable, EachNumberOfADeviceIsOfOneKind) {
  const std::vector<std::string> names = target::builtin_device_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const target::Device device = target::load_device(names[i]).value();
    std::size_t counted = 0;
    for (const target::Evidence kind : target::kEvidences) {
      counted += numbers_of_kind(kind).value().count(i);
    }
    const auto expected = std::ranges::count_if(device.parameters, [](const auto& parameter) {
      return !target::is_quoted(parameter.first);
    });
    EXPECT_EQ(counted, static_cast<std::size_t>(expected)) << names[i];
  }
}

TEST(EvidenceTable, DevicesThatShareAValueHaveOneFreeValue) {
  const auto number = [](double first, double second) {
    NumberOfKind result{"hbm.banks", {target::Parameter{}, target::Parameter{}}};
    result.values[0]->value = first;
    result.values[1]->value = second;
    return result;
  };
  NumbersOfKind numbers{target::Evidence::kFitted, {"a", "b"}, {number(8, 8)}};
  EXPECT_EQ(numbers.free_values(), 1u);
  numbers.numbers.push_back(number(8, 16));
  EXPECT_EQ(numbers.free_values(), 3u);
  numbers.numbers.back().values[0].reset();
  EXPECT_EQ(numbers.free_values(), 2u);
  EXPECT_EQ(numbers.count(0), 1u);
  EXPECT_EQ(numbers.count(1), 2u);
  EXPECT_THAT(evidence_text(numbers), HasSubstr("2 fitted numbers with 2 values."));
}

TEST(EvidenceTable, ThePageListsWhatIsFitted) {
  const NumbersOfKind fitted = numbers_of_kind(target::Evidence::kFitted).value();
  ASSERT_FALSE(fitted.numbers.empty());
  const std::string page = evidence_markdown().value();
  for (const NumberOfKind& number : fitted.numbers) EXPECT_THAT(page, HasSubstr(number.name));
  EXPECT_THAT(page, HasSubstr("| fitted | " + std::to_string(fitted.count(0)) + " |"));
}

}  // namespace
}  // namespace wavetank::cli
