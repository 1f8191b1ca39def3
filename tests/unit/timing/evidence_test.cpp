// The evidence line of a report: what kind of numbers the waiting rests on.
#include <gtest/gtest.h>

#include <string_view>

#include "target/load_device.hpp"
#include "timing/evidence.hpp"

namespace wavetank::timing {
namespace {

using profile::Reason;

TEST(EvidenceTest, IsThatOfTheLeastCertainNumberAndAddsUpToAHundred) {
  const target::Device device = *target::load_device("mi210");
  profile::LaunchProfile launch;
  profile::ReasonCycles& cycles = launch.cycles_by_reason;
  cycles[static_cast<std::size_t>(Reason::kWaitVectorMemory)] = 300;  // derived latencies
  cycles[static_cast<std::size_t>(Reason::kWaitFetch)] = 100;         // assumed ones
  cycles[static_cast<std::size_t>(Reason::kWaitBarrier)] = 600;       // no number of its own
  const auto percent = evidence_of_waiting(launch, device);
  EXPECT_EQ(percent.at("derived"), 75);
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
    for (const char* const resource :
         {"translation", "L2", "fabric", "MALL", "HBM", "DRAM banks"}) {
      EXPECT_FALSE(parameters_behind(resource, false).empty()) << resource;
      if (resource == std::string_view("MALL") && !has_mall) continue;
      for (const std::string_view parameter : parameters_behind(resource, has_mall)) {
        EXPECT_TRUE(device.parameters.contains(parameter)) << name << " " << parameter;
      }
    }
  }
}

TEST(EvidenceTest, NumbersOfALaunchAreThoseBehindItsWaitsEachOnce) {
  const target::Device device = *target::load_device("mi210");
  profile::LaunchProfile launch;
  EXPECT_TRUE(numbers_of_waiting(launch, device).empty());
  launch.cycles_by_reason[static_cast<std::size_t>(Reason::kWaitScalarMemory)] = 3;
  launch.cycles_by_reason[static_cast<std::size_t>(Reason::kWaitFetch)] = 1;
  const std::vector<std::string_view> numbers = {"smem.hit_latency", "smem.miss_latency",
                                                 "fetch.hit_latency", "fetch.miss_latency"};
  EXPECT_EQ(numbers_of_waiting(launch, device), numbers);
}

TEST(EvidenceTest, OfWaitsForASaturatedResourceIsThatOfItsRate) {
  target::Device device = *target::load_device("mi210");
  device.parameters["hbm.row_cycle"].evidence = target::Evidence::kFitted;
  profile::LaunchProfile launch;
  launch.cycles = 1000;
  launch.cycles_by_reason[static_cast<std::size_t>(Reason::kWaitVectorMemory)] = 300;
  launch.levels = {{.name = "HBM"}};
  for (const double banks : {59.9, 60.0}) {
    launch.levels[0].busy_percent = launch.levels[0].rows.busy_percent = banks;
    EXPECT_EQ(evidence_of_waiting(launch, device).at(banks < 60 ? "derived" : "fitted"), 100);
  }
}

TEST(EvidenceTest, OfAtomicsIsThatOfTheirOwnRate) {
  target::Device device = *target::load_device("mi210");
  device.parameters["l2.read_efficiency"].evidence = target::Evidence::kPublic;
  device.parameters["l2.write_cycles"].evidence = target::Evidence::kPublic;
  device.parameters["l2.fill_cycles"].evidence = target::Evidence::kPublic;
  device.parameters["atomic.l2_cycles_per_operation"].evidence = target::Evidence::kFitted;
  profile::LaunchProfile launch;
  launch.cycles = 1000;
  launch.cycles_by_reason[static_cast<std::size_t>(Reason::kWaitVectorMemory)] = 300;
  launch.levels = {{.name = "L2", .busy_percent = 80}};
  launch.counters["TCC_REQ"].sum = 100;
  for (const double atomics : {50.0, 51.0}) {
    launch.counters["TCC_ATOMIC"].sum = atomics;
    EXPECT_EQ(evidence_of_waiting(launch, device).at(atomics > 50 ? "fitted" : "public"), 100);
  }
}

TEST(EvidenceTest, OfANumberThatIsNotThereIsAssumed) {
  target::Device device = *target::load_device("mi210");
  profile::LaunchProfile launch;
  profile::ReasonCycles& cycles = launch.cycles_by_reason;
  cycles[static_cast<std::size_t>(Reason::kWaitScalarMemory)] = 1;
  EXPECT_EQ(evidence_of_waiting(launch, device).at("derived"), 100);
  device.parameters.erase("smem.miss_latency");
  EXPECT_EQ(evidence_of_waiting(launch, device).at("assumed"), 100);
}

TEST(EvidenceTest, IsEmptyWhereNothingWaits) {
  EXPECT_TRUE(evidence_of_waiting({}, *target::load_device("mi300x")).empty());
}

}  // namespace
}  // namespace wavetank::timing
