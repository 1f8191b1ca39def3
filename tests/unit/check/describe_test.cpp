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

}  // namespace
}  // namespace wavetank::check
