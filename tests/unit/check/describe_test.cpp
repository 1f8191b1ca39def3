#include "check/describe.hpp"

#include <gtest/gtest.h>

namespace wavetank::check {
namespace {

Finding store_and_store(unsigned second_wave, Level level) {
  Finding finding;
  finding.level = level;
  finding.space = machine::MemorySpace::kLds;
  finding.first = {7, AccessKind::kWrite, 0, 0, 3};
  finding.second = {7, AccessKind::kWrite, 0, second_wave, 5};
  finding.address = 16;
  finding.bytes = 4;
  return finding;
}

TEST(Describe, LanesOfOneStoreAreToldFromWaves) {
  const LaunchWords launch{"k()", "_Z1kv", {1, 1, 1}, {128, 1, 1}};
  const Diagnosis lanes = describe(store_and_store(0, Level::kNote), {}, {}, launch);
  EXPECT_EQ(lanes.message, "lanes store different values to LDS, 4 bytes at byte 16");
  EXPECT_EQ(lanes.note, "one of the lanes wins; HIP does not say which");
  const Diagnosis waves = describe(store_and_store(1, Level::kNote), {}, {}, launch);
  EXPECT_EQ(waves.message, "stores of the same value race on LDS, 4 bytes at byte 16");
  EXPECT_EQ(waves.note, "");
  const Diagnosis race = describe(store_and_store(1, Level::kError), {}, {}, launch);
  EXPECT_EQ(race.message, "data race on LDS, 4 bytes at byte 16");
}

TEST(Describe, WhatLiesInNoAllocationIsPerhapsTheHosts) {
  Finding finding;
  finding.kind = Kind::kOutOfBounds;
  finding.space = machine::MemorySpace::kGlobal;
  finding.address = 0xffff;
  EXPECT_EQ(describe(finding, {}, {}, {}).note, "a null pointer");
  ++finding.address;
  EXPECT_EQ(describe(finding, {}, {}, {}).note,
            "no memory of the device lies there or before; is it a pointer of the host?");
}

TEST(Describe, WhatIsReadBesideAKernelsArgumentsSaysSo) {
  Finding finding;
  finding.kind = Kind::kOutOfBounds;
  finding.space = machine::MemorySpace::kGlobal;
  finding.second = {7, AccessKind::kRead, 0, 0, 0};
  finding.object_begin = 0x1000;
  finding.object_bytes = 48;
  finding.of_arguments = true;
  finding.address = 0x1040;
  EXPECT_EQ(describe(finding, {}, {}, {}).note,
            "16 bytes past the end of the kernel's 48 bytes of arguments");
  finding.address = 0xffc;
  EXPECT_EQ(describe(finding, {}, {}, {}).note,
            "4 bytes before the begin of the kernel's 48 bytes of arguments");
}

}  // namespace
}  // namespace wavetank::check
