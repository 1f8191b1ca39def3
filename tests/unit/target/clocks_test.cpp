// Devices at the clock that they hold under a sustained load.
#include "target/clocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "target/load_device.hpp"
#include "target/parameter_rows.hpp"

namespace wavetank::target {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

double value(const Device& device, const char* name) {
  return device.parameters.find(name)->second.value;
}

TEST(Clocks, UnderASustainedLoadTheEngineIsSlowerAndMemoryKeepsItsPace) {
  const Device peak = load_device("mi300x").value();
  const Device sustained = at_sustained_clock(peak).value();
  EXPECT_EQ(sustained.engine_clock_mhz, value(peak, "compute.sustained_clock"));
  EXPECT_LT(sustained.engine_clock_mhz, peak.engine_clock_mhz);
  const double slower = sustained.engine_clock_mhz / peak.engine_clock_mhz;

  const double l2 = value(peak, "l2.hit_latency");
  EXPECT_EQ(value(sustained, "l2.hit_latency"), l2) << "the L2 runs with the engine";
  EXPECT_NEAR(value(sustained, "hbm.latency"), l2 + (value(peak, "hbm.latency") - l2) * slower,
              0.5);
  EXPECT_NEAR(value(sustained, "fabric.read_bytes_per_cycle") * sustained.engine_clock_mhz,
              value(peak, "fabric.read_bytes_per_cycle") * peak.engine_clock_mhz, 1e-3);
  EXPECT_EQ(value(sustained, "memory.peak_bandwidth"), value(peak, "memory.peak_bandwidth"));
}

TEST(Clocks, NumbersStayWhatTheirRowsAllow) {
  Device device = load_device("mi300x").value();
  device.parameters.find("compute.sustained_clock")->second.value = 1;
  const Device sustained = at_sustained_clock(device).value();
  for (const auto& [name, parameter] : sustained.parameters) {
    if (is_quoted(name)) continue;
    EXPECT_THAT(problem_with(*find_row(name), parameter), IsEmpty());
  }
}

TEST(Clocks, ADeviceWithoutSuchAClockSaysWhatToWrite) {
  Device device = load_device("mi300x").value();
  device.parameters.erase("compute.sustained_clock");
  const Error error = at_sustained_clock(device).error();
  EXPECT_EQ(error.code, ErrorCode::kBadDevice);
  EXPECT_THAT(error.message, HasSubstr("no clock of mi300x under a sustained load"));
  EXPECT_THAT(error.help, HasSubstr("compute.sustained_clock"));
}

}  // namespace
}  // namespace wavetank::target
