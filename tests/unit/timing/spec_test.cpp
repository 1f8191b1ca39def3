// The numbers of the model out of a device description.
#include "timing/spec_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "target/load_device.hpp"
#include "target/parameter_rows.hpp"

namespace wavetank::timing {
namespace {

using ::testing::HasSubstr;

std::string refusal(const target::Device& device) {
  const Result<TimingSpec> spec = read_spec(device);
  return spec ? "" : spec.error().message;
}

/// A built-in device with some of its numbers changed or added.
target::Device device_with(const char* base,
                           std::initializer_list<std::pair<std::string_view, double>> values) {
  target::Device device = *target::load_device(base);
  for (const auto& [name, value] : values) {
    const target::ParameterRow& row = *target::find_row(name);
    device.parameters[std::string(name)] = {value, std::string(row.unit),
                                            target::Evidence::kAssumed, "me", ""};
  }
  return device;
}

TEST(TimingSpec, IsThatOfTheDescription) {
  const TimingSpec spec = *read_spec(*target::load_device("mi300x"));
  EXPECT_EQ(spec.l2.channels, 16u);
  EXPECT_EQ(spec.mall.slices, 128u);
  EXPECT_EQ(spec.launch.start_ns, 2600);
  EXPECT_TRUE(spec.issue.dual_fma);
  EXPECT_TRUE(spec.atomic.at_memory);
  EXPECT_EQ(spec.hbm.peak_bytes_per_cycle, 5324.8 * 1e3 / 2100);
  EXPECT_EQ(read_spec(*target::load_device("mi210"))->mall.slices, 0u);
}

TEST(TimingSpec, NeedsEachNumberThatItsRowSaysTimingNeeds) {
  for (const char* const name : {"mi210", "mi300x"}) {
    const target::Device whole = *target::load_device(name);
    for (const target::ParameterRow& row : target::parameter_rows()) {
      if (row.need == target::Need::kRun || !whole.parameters.contains(row.name)) continue;
      target::Device device = whole;
      device.parameters.erase(device.parameters.find(row.name));
      EXPECT_EQ(refusal(device),
                row.need == target::Need::kNobody ? "" : target::missing_text(row));
    }
  }
}

TEST(TimingSpec, RefusesANumberOutOfItsRowsRange) {
  for (const target::ParameterRow& row : target::parameter_rows()) {
    if (row.need == target::Need::kNobody || row.need == target::Need::kRun) continue;
    EXPECT_NE(refusal(device_with("mi300x", {{row.name, row.lowest - 1}})), "") << row.name;
    EXPECT_NE(refusal(device_with("mi300x", {{row.name, row.highest + 1}})), "") << row.name;
  }
}

TEST(TimingSpec, AtomicsAtMemoryNeedAnInfinityCacheThatDoesThem) {
  const auto atomics = {std::pair<std::string_view, double>{"atomic.at_memory", 1},
                        {"atomic.memory_side_latency", 382},
                        {"atomic.memory_side_request_cycles", 8},
                        {"atomic.memory_side_cycles_per_operation", 19}};
  EXPECT_EQ(refusal(device_with("mi300x", atomics)), "");
  EXPECT_THAT(refusal(device_with("mi210", atomics)),
              HasSubstr("atomic.at_memory = 1 needs [mall]"));
  EXPECT_THAT(refusal(device_with("mi210", {{"atomic.at_memory", 1}})),
              HasSubstr("atomic.memory_side_latency is missing"));
}

TEST(TimingSpec, AnInfinityCacheIsGivenAsAWholeOrNotAtAll) {
  EXPECT_THAT(refusal(device_with("mi210", {{"mall.ways", 16}})),
              HasSubstr("is missing, which timing with a MALL needs"));
  EXPECT_THAT(refusal(device_with("mi210", {{"cache.infinity_cache", 1 << 28}})),
              HasSubstr("mall.slices is missing"));
}

TEST(TimingSpec, SizesThatDoNotGoTogetherAreRefused) {
  EXPECT_THAT(refusal(device_with("mi210", {{"lds.pairs", 5}})), HasSubstr("lds.pairs"));
  EXPECT_EQ(refusal(device_with("mi210", {{"lds.pairs", 4}})), "");
  EXPECT_THAT(refusal(device_with("mi210", {{"l2.interleave", 192}})), HasSubstr("l2.interleave"));
  EXPECT_THAT(refusal(device_with("mi210", {{"l2.request_read_bytes", 96}})),
              HasSubstr("64 or 128"));
  EXPECT_THAT(refusal(device_with("mi210", {{"cache.l1_vector", 63}})),
              HasSubstr("cache.l1_vector"));
  EXPECT_THAT(refusal(device_with("mi210", {{"hbm.channels", 4096}, {"hbm.banks", 4096}})),
              HasSubstr("more than 16777216"));
}

TEST(TimingSpec, AHashTellsBlocksApartAndReachesAllChannels) {
  EXPECT_THAT(refusal(device_with("mi210", {{"channel_hash.bit_0", 1 << 7}})),
              HasSubstr("bits within blocks"));
  EXPECT_THAT(refusal(device_with("mi210", {{"l2.interleave", 384}})),
              HasSubstr("no power of two"));
  EXPECT_THAT(refusal(device_with("mi210", {{"channel_hash.bit_0", 0x100},
                                            {"channel_hash.bit_1", 0x200},
                                            {"channel_hash.bit_2", 0x300}})),
              HasSubstr("channel_hash.bit_2 follows from those before it"));
}

TEST(TimingSpec, ThereMayBeMoreChannelsThanTheHashTellsApart) {
  EXPECT_EQ(refusal(device_with("mi210", {{"l2.channels", 64}, {"hbm.channels", 4096}})), "");
  EXPECT_EQ(refusal(device_with("mi210", {{"l2.channels", 24}})), "");
}

}  // namespace
}  // namespace wavetank::timing
