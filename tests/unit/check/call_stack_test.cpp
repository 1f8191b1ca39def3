// Calls that waves are in.
#include "check/call_stack.hpp"

#include <gtest/gtest.h>

#include "small_launch.hpp"

namespace wavetank::check {
namespace {

using machine::MemorySpace;

TEST(CallStack, AJumpToWhereACallComesBackToEndsIt) {
  CallStack calls;
  EXPECT_EQ(calls.caller(), 0u);
  calls.call(7, 0x1004);
  calls.call(8, 0x2004);
  EXPECT_EQ(calls.caller(), 8u);
  calls.jump(0x2004);
  EXPECT_EQ(calls.caller(), 7u);
  calls.jump(0x1004);
  EXPECT_EQ(calls.caller(), 0u);
}

TEST(CallStack, AJumpElsewhereStaysInTheFunction) {
  CallStack calls;
  calls.call(7, 0x1004);
  calls.jump(0x3000);
  EXPECT_EQ(calls.caller(), 7u);
}

TEST(CallStack, AFunctionThatItsCalleeLeavesForGoodIsOver) {
  CallStack calls;
  calls.call(7, 0x1004);
  calls.call(8, 0x2004);
  calls.jump(0x1004);
  EXPECT_EQ(calls.caller(), 0u);
}

TEST(CallStack, ADeepRecursionIsToldApartInItsFirstCallsOnly) {
  CallStack calls;
  for (std::uint32_t site = 1; site <= 20; ++site) calls.call(site, 0x1004);
  EXPECT_EQ(calls.caller(), 16u);
  for (int i = 0; i < 19; ++i) calls.jump(0x1004);
  EXPECT_EQ(calls.caller(), 1u);
  calls.jump(0x1004);
  EXPECT_EQ(calls.caller(), 0u);
}

TEST(CallStack, AFunctionsInstructionIsAnotherOneForEachOfItsCalls) {
  LaunchFacts facts{.stores_show_atomicity = true};
  facts.index_called_from = [](std::uint32_t caller, std::uint32_t index) {
    return 100 * caller + index;
  };
  SmallLaunch launch(1, 2, facts);
  launch.call(0, 0, 5, 0x1004);
  launch.access(0, 0, Does::kStore, MemorySpace::kGlobal, 0, 1);
  launch.jump(0, 0, 0x1004);
  launch.call(0, 1, 6, 0x2004);
  launch.access(0, 1, Does::kStore, MemorySpace::kGlobal, 0, 1);
  const auto found = launch.check().findings().sorted();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first.site, 501u);
  EXPECT_EQ(found[0].second.site, 601u);
}

}  // namespace
}  // namespace wavetank::check
