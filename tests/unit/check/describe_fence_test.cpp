#include "check/describe_fence.hpp"

#include <gtest/gtest.h>

namespace wavetank::check {
namespace {

FenceWords words(Reach reach, bool of_system) {
  FenceWords words;
  words.launch.groups = {4, 2, 1};
  words.fence.source = {"/src/sum.hip", 12};
  words.use.executions = 4096;
  words.use.reach = reach;
  words.use.of_system = of_system;
  words.use.group = 5;
  words.device = "mi300x";
  words.cycles = 8400;
  words.clock_mhz = 2100;
  return words;
}

TEST(DescribeFence, AFenceForNobodyIsANoteWithItsCost) {
  const Diagnosis advice = describe(words(Reach::kNone, false));
  EXPECT_EQ(advice.level, Level::kNote);
  EXPECT_EQ(advice.code, ErrorCode::kUselessFence);
  EXPECT_EQ(advice.message, "a fence of the device through which nobody learns of anything");
  EXPECT_EQ(advice.note,
            "executed 4096 times, 8400 cycles (4.00 us) each on mi300x; the program's order is the "
            "same without it");
  ASSERT_EQ(advice.spots.size(), 1u);
  EXPECT_EQ(advice.spots[0].place(), "sum.hip:12");
  EXPECT_EQ(advice.spots[0].what, "first by wave 0 of workgroup (1, 1, 0)");
}

TEST(DescribeFence, ANarrowerOneIsNamedWithWhoLearns) {
  FenceWords known = words(Reach::kGroup, true);
  known.learnt_by = {{"/src/sum.hip", 20}, "kernel + 0x10", "global_load_dword v0", {}, {}};
  const Diagnosis advice = describe(known);
  EXPECT_NE(advice.message.find("only the workgroup"), std::string::npos);
  EXPECT_NE(advice.note.find("__threadfence_block()"), std::string::npos);
  ASSERT_EQ(advice.spots.size(), 2u);
  EXPECT_EQ(advice.spots[1].place(), "sum.hip:20");
  EXPECT_NE(describe(words(Reach::kDevice, true)).note.find("; __threadfence(),"),
            std::string::npos);
}

TEST(DescribeFence, WhatReachesAsFarAsItsScopeIsNotTooMuch) {
  EXPECT_TRUE(is_too_much(words(Reach::kGroup, false).use));
  EXPECT_FALSE(is_too_much(words(Reach::kDevice, false).use));
  EXPECT_TRUE(is_too_much(words(Reach::kDevice, true).use));
  EXPECT_FALSE(is_too_much(words(Reach::kSystem, true).use));
}

}  // namespace
}  // namespace wavetank::check
