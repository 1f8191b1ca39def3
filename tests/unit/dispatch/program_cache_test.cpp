#include "dispatch/program_cache.hpp"

#include <gtest/gtest.h>

namespace wavetank::dispatch {
namespace {

TEST(TranslatedKernel, ALaunchThatLooksLongOnceAtMostDoublesWhatIsExpected) {
  TranslatedKernel kernel;
  kernel.note_group(900);
  EXPECT_EQ(kernel.group_ns, 900u) << "the first says it all";
  kernel.note_group(5'000'000);
  EXPECT_EQ(kernel.group_ns, 1800u);
  kernel.note_group(1000);
  EXPECT_EQ(kernel.group_ns, 1000u) << "a shorter one is believed at once";
}

}  // namespace
}  // namespace wavetank::dispatch
