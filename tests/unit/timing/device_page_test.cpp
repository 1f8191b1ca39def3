// docs/device-file.md: the descriptions that it shows can be used as they are.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/file.hpp"
#include "target/device_file.hpp"
#include "target/parameter_rows.hpp"
#include "timing/device_model.hpp"

namespace wavetank::timing {
namespace {

/// The blocks of TOML that the page shows.
std::vector<std::string> descriptions() {
  const auto bytes = read_file(WAVETANK_DEVICE_PAGE);
  if (!bytes) return {};
  const std::string page(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const std::string begin = "```toml\n", end = "```\n";
  std::vector<std::string> blocks;
  for (std::size_t at = 0; (at = page.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    blocks.push_back(page.substr(at, page.find(end, at) - at));
  }
  return blocks;
}

TEST(DevicePage, WhatItShowsLoadsAndCanBeTimed) {
  ASSERT_EQ(descriptions().size(), 2u);
  for (const std::string& text : descriptions()) {
    const auto device = target::parse_device(text, "page.toml");
    ASSERT_TRUE(device) << device.error().to_text();
    const auto model = DeviceModel::make(*device);
    EXPECT_TRUE(model) << model.error().to_text();
  }
}

TEST(DevicePage, ADeviceFromScratchShowsEveryNumberThatAnyoneNeeds) {
  const auto device = target::parse_device(descriptions().at(1), "page.toml");
  ASSERT_TRUE(device) << device.error().to_text();
  EXPECT_EQ(descriptions().at(1).find("base ="), std::string::npos);
  for (const target::ParameterRow& row : target::parameter_rows()) {
    if (row.need == target::Need::kNobody) continue;
    EXPECT_TRUE(device->parameters.contains(row.name)) << row.name;
  }
}

}  // namespace
}  // namespace wavetank::timing
