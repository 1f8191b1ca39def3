// The evidence line of a report: what kind of numbers the waiting rests on.
#include <gtest/gtest.h>

#include <string_view>

#include "target/device.hpp"
#include "timing/evidence.hpp"

namespace wavetank::timing {
namespace {

using profile::Reason;

TEST(EvidenceTest, IsThatOfTheLeastCertainNumberAndAddsUpToAHundred) {
  const target::Device device = *target::load_device("mi210");
  profile::ReasonCycles cycles = {};
  cycles[static_cast<std::size_t>(Reason::kWaitVectorMemory)] = 300;  // measured latencies
  cycles[static_cast<std::size_t>(Reason::kWaitFetch)] = 100;         // assumed ones
  cycles[static_cast<std::size_t>(Reason::kWaitBarrier)] = 600;       // no number of its own
  const auto percent = evidence_of_waiting(cycles, device);
  EXPECT_EQ(percent.at("measured"), 75);
  EXPECT_EQ(percent.at("assumed"), 25);
  EXPECT_EQ(percent.size(), 2u);
}

TEST(EvidenceTest, RestsOnNumbersThatDevicesHave) {
  for (const char* const name : {"mi210", "mi250x", "mi300x", "mi300a"}) {
    const target::Device device = *target::load_device(name);
    const bool has_mall = device.parameters.contains("mall.slices");
    for (std::size_t i = 0; i < profile::kReasonCount; ++i) {
      for (const std::string_view parameter : parameters_behind(static_cast<Reason>(i))) {
        EXPECT_EQ(device.parameters.contains(parameter),
                  has_mall || parameter != "mall.hit_latency")
            << name << " " << parameter;
      }
    }
  }
}

TEST(EvidenceTest, OfANumberThatIsNotThereIsAssumed) {
  target::Device device = *target::load_device("mi210");
  profile::ReasonCycles cycles = {};
  cycles[static_cast<std::size_t>(Reason::kWaitScalarMemory)] = 1;
  EXPECT_EQ(evidence_of_waiting(cycles, device).at("measured"), 100);
  device.parameters.erase("smem.miss_latency");
  EXPECT_EQ(evidence_of_waiting(cycles, device).at("assumed"), 100);
}

TEST(EvidenceTest, IsEmptyWhereNothingWaits) {
  EXPECT_TRUE(evidence_of_waiting({}, *target::load_device("mi300x")).empty());
}

}  // namespace
}  // namespace wavetank::timing
