// Device descriptions: the built-in ones, and what a user's own may not say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "target/builtin_devices.hpp"
#include "target/device_file.hpp"
#include "target/load_device.hpp"

namespace wavetank::target {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A whole valid description, in which tests replace one line.
std::string description(std::string_view from = {}, std::string_view to = {}) {
  std::string text = R"(name = "mine"
marketing_name = "My device"
gfx = "gfx90a"
[compute]
units = { value = 4, unit = "CU", kind = "assumed", source = "me" }
shader_engines = { value = 1, unit = "SE", kind = "assumed", source = "me" }
xcds = { value = 1, unit = "XCD", kind = "assumed", source = "me" }
simds_per_unit = { value = 4, unit = "SIMD", kind = "assumed", source = "me" }
engine_clock = { value = 1000, unit = "MHz", kind = "assumed", source = "me" }
timestamp_clock = { value = 100000000, unit = "Hz", kind = "assumed", source = "me" }
[occupancy]
wave_slots_per_simd = { value = 8, unit = "waves", kind = "measured", source = "me" }
vgprs_per_simd = { value = 512, unit = "registers", kind = "assumed", source = "me" }
vgpr_granule = { value = 8, unit = "registers", kind = "assumed", source = "me" }
sgprs_per_simd = { value = 800, unit = "registers", kind = "assumed", source = "me" }
sgpr_granule = { value = 16, unit = "registers", kind = "assumed", source = "me" }
max_workgroup_size = { value = 1024, unit = "work-items", kind = "assumed", source = "me" }
barriers_per_unit = { value = 16, unit = "workgroups", kind = "assumed", source = "me" }
[lds]
capacity_per_unit = { value = 65536, unit = "bytes", kind = "assumed", source = "me" }
granule = { value = 512, unit = "bytes", kind = "assumed", source = "me" }
[cache]
l2_per_xcd = { value = 1048576, unit = "bytes", kind = "assumed", source = "me" }
[memory]
capacity = { value = 1073741824, unit = "bytes", kind = "assumed", source = "me" }
clock = { value = 1600, unit = "MHz", kind = "assumed", source = "me" }
bus_width = { value = 4096, unit = "bits", kind = "assumed", source = "me" }
)";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

Error refused(std::string_view from, std::string_view to) {
  const Result<Device> device = parse_device(description(from, to), "mine.toml");
  EXPECT_FALSE(device.has_value());
  return device.has_value() ? Error{} : device.error();
}

TEST(Device, FourAreBuiltIn) {
  EXPECT_THAT(builtin_device_names(), ElementsAre("mi210", "mi250x", "mi300x", "mi300a"));
  for (const std::string& name : builtin_device_names()) {
    const Result<Device> device = load_device(name);
    ASSERT_TRUE(device.has_value()) << device.error().to_text();
    EXPECT_EQ(device->name, name);
    EXPECT_EQ(device->wave_slots_per_simd, 8u);
    EXPECT_EQ(device->vgprs_per_simd, 512u);
    EXPECT_EQ(device->compute_units % device->xcds, 0u);
  }
}

TEST(Device, Mi210HasThePublishedSizes) {
  const Device mi210 = load_device("mi210").value();
  EXPECT_EQ(mi210.gfx(), "gfx90a");
  EXPECT_EQ(mi210.compute_units, 104u);
  EXPECT_EQ(mi210.memory_bytes, 64ull << 30);
  EXPECT_EQ(mi210.engine_clock_mhz, 1700);
  EXPECT_FALSE(mi210.unified_memory);
}

TEST(Device, Mi300aSharesItsMemoryWithTheHost) {
  const Device mi300a = load_device("mi300a").value();
  EXPECT_EQ(mi300a.gfx(), "gfx942");
  EXPECT_EQ(mi300a.compute_units, 228u);
  EXPECT_EQ(mi300a.xcds, 6u);
  EXPECT_EQ(mi300a.memory_bytes, 128ull << 30);
  EXPECT_TRUE(mi300a.unified_memory);
}

TEST(Device, PeaksFollowFromTheRates) {
  const auto tflops = [](const char* name, const char* rate) {
    const Device d = load_device(name).value();
    return d.parameters.at(rate).value * d.compute_units * d.engine_clock_mhz * 1e-6;
  };
  EXPECT_NEAR(tflops("mi210", "rate.vector_f64"), 22.6, 0.05);
  EXPECT_NEAR(tflops("mi210", "rate.matrix_f16"), 181.0, 0.05);
  EXPECT_NEAR(tflops("mi300x", "rate.matrix_f16"), 1307.4, 0.05);
  EXPECT_NEAR(tflops("mi300a", "rate.vector_f64"), 61.3, 0.05);
}

TEST(Device, PeakBandwidthIsBusTimesTransfers) {
  for (const std::string& name : builtin_device_names()) {
    const Device d = load_device(name).value();
    const double transfers = d.gfx() == "gfx942" ? 4 : 2;
    EXPECT_DOUBLE_EQ(d.parameters.at("memory.peak_bandwidth").value,
                     d.memory_bus_bits / 8.0 * d.memory_clock_mhz * transfers / 1000);
  }
}

TEST(Device, TheDefaultForAProcessorIsTheFirstThatRunsIt) {
  EXPECT_EQ(default_device_for("gfx90a").value().name, "mi210");
  EXPECT_EQ(default_device_for("gfx942").value().name, "mi300x");
  EXPECT_EQ(default_device_for("gfx1100").error().code, ErrorCode::kBadDevice);
}

TEST(Device, AnUnknownNameListsTheKnownOnes) {
  const Error error = load_device("mi100").error();
  EXPECT_EQ(error.code, ErrorCode::kBadDevice);
  EXPECT_THAT(error.help, HasSubstr("mi210, mi250x, mi300x, mi300a"));
  EXPECT_EQ(load_device("nowhere.toml").error().code, ErrorCode::kFileUnreadable);
}

TEST(Device, DevicesOfOneProcessorAreDescribedByTheSameNumbers) {
  for (const auto& [one, other] : {std::pair{"mi210", "mi250x"}, std::pair{"mi300x", "mi300a"}}) {
    const Device a = load_device(one).value();
    const Device b = load_device(other).value();
    const auto names = [](const Device& device) {
      std::vector<std::string> result;
      for (const auto& [name, parameter] : device.parameters) {
        // Nobody published what clock the others hold under load.
        const bool may_differ = name.starts_with("quoted.") || name == "compute.sustained_clock";
        if (!may_differ) result.push_back(name + " in " + parameter.unit);
      }
      return result;
    };
    EXPECT_EQ(names(a), names(b));
  }
}

TEST(Device, WhatWasMeasuredOnOneDeviceIsDerivedOnItsSibling) {
  const Device mi210 = load_device("mi210").value();
  const Device mi250x = load_device("mi250x").value();
  EXPECT_EQ(mi210.parameters.at("translation.miss_latency").evidence, Evidence::kMeasured);
  EXPECT_EQ(mi250x.parameters.at("translation.miss_latency").evidence, Evidence::kDerived);
  EXPECT_THAT(mi250x.parameters.at("translation.miss_latency").source, HasSubstr("MI210, the same die"));
}

TEST(Device, AFigureThatMisleadsSaysWhatItIs) {
  const Device mi300x = load_device("mi300x").value();
  EXPECT_EQ(mi300x.parameters.at("quoted.l2").value, 256 << 20);
  EXPECT_EQ(mi300x.parameters.at("quoted.l2").note, "the Infinity Cache");
  EXPECT_EQ(mi300x.parameters.at("cache.l2_per_xcd").note, "");
}

TEST(Device, OnlyCdna3HasAnInfinityCacheAndAtomicsBeyondTheL2) {
  for (const std::string& name : builtin_device_names()) {
    const Device device = load_device(name).value();
    const bool cdna3 = device.gfx() == "gfx942";
    EXPECT_EQ(device.parameters.contains("mall.hit_latency"), cdna3) << name;
    EXPECT_EQ(device.parameters.at("atomic.at_memory").value, cdna3 ? 1 : 0) << name;
  }
}

TEST(Device, AUsersDescriptionKeepsEveryNumberWithItsEvidence) {
  const Device device = parse_device(description(), "mine.toml").value();
  EXPECT_EQ(device.compute_units, 4u);
  EXPECT_EQ(device.parameters.at("occupancy.wave_slots_per_simd").evidence, Evidence::kMeasured);
  EXPECT_EQ(device.parameters.at("lds.granule").unit, "bytes");
}

TEST(Device, ADescriptionCanStartFromABuiltInDevice) {
  const Device part = parse_device(R"(name = "part"
base = "mi300a"
[compute]
units = { value = 38, unit = "CU", kind = "assumed", source = "me" }
)",
                                   "part.toml")
                          .value();
  const Device whole = load_device("mi300a").value();
  EXPECT_EQ(part.name, "part");
  EXPECT_EQ(part.gfx(), "gfx942");
  EXPECT_EQ(part.compute_units, 38u);
  EXPECT_EQ(part.xcds, whole.xcds);
  EXPECT_EQ(part.parameters.size(), whole.parameters.size());
  EXPECT_EQ(part.parameters.at("compute.units").source, "me");
  EXPECT_EQ(part.unified_memory, whole.unified_memory);
}

TEST(Device, ABaseMustExistAndGivesNoName) {
  EXPECT_THAT(parse_device("name = \"x\"\nbase = \"mi100\"\n", "x.toml").error().message,
              HasSubstr("no built-in device \"mi100\""));
  EXPECT_EQ(parse_device("base = \"mi210\"\n", "x.toml").error().message, "no name");
  EXPECT_EQ(parse_device("name = \"x\"\nbase = \"mi210\"\n[compute]\nunits = 4\n", "x.toml")
                .error()
                .where,
            "x.toml:4:9");
}

TEST(Device, ANumberWithoutItsEvidenceIsRefusedWhereItStands) {
  const Error bare =
      refused("{ value = 4, unit = \"CU\", kind = \"assumed\", source = \"me\" }", "4");
  EXPECT_EQ(bare.code, ErrorCode::kBadDevice);
  EXPECT_THAT(bare.message, HasSubstr("compute.units is a bare value"));
  EXPECT_EQ(bare.where, "mine.toml:5:9");
  EXPECT_THAT(refused("units = { value = 4, unit = \"CU\",", "units = { value = 4,").message,
              HasSubstr("no unit"));
  EXPECT_THAT(refused("unit = \"CU\", kind = \"assumed\",", "unit = \"CU\",").message,
              HasSubstr("no kind"));
  EXPECT_THAT(refused("kind = \"measured\", source = \"me\"", "kind = \"measured\"").message,
              HasSubstr("no source"));
  EXPECT_THAT(refused("kind = \"measured\"", "kind = \"guessed\"").message,
              HasSubstr("\"guessed\" is no kind of evidence"));
}

TEST(Device, AWrongUnitAMissingNumberAndAnAbsurdOneAreRefused) {
  EXPECT_THAT(refused("value = 1000, unit = \"MHz\"", "value = 1, unit = \"GHz\"").message,
              HasSubstr("given in GHz; MHz is expected"));
  EXPECT_EQ(refused("units = { value = 4, unit = \"CU\", kind = \"assumed\", source = \"me\" }", "")
                .message,
            "compute.units is missing");
  EXPECT_THAT(refused("units = { value = 4,", "units = { value = 0,").message,
              HasSubstr("compute.units = 0"));
  EXPECT_THAT(refused("units = { value = 4,", "units = { value = 4.5,").message,
              HasSubstr("whole number"));
  EXPECT_THAT(refused("units = { value = 4,", "units = { value = inf,").message,
              HasSubstr("no number"));
  EXPECT_THAT(refused("gfx = \"gfx90a\"", "gfx = \"gfx1100\"").message, HasSubstr("gfx1100"));
}

TEST(Device, BrokenTomlIsRefusedWithItsPlace) {
  const Error error = parse_device("name = \"x\"\nunits = {\n", "mine.toml").error();
  EXPECT_EQ(error.code, ErrorCode::kBadDevice);
  EXPECT_THAT(error.where, HasSubstr("mine.toml:2"));
  EXPECT_FALSE(parse_device("", "mine.toml").has_value());
}

}  // namespace
}  // namespace wavetank::target
