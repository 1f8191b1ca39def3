#include "check/fence_use.hpp"

#include <gtest/gtest.h>

#include "small_launch.hpp"

namespace wavetank::check {
namespace {

using machine::MemorySpace;

constexpr std::uint32_t kData = 0, kFlag = 1024;  // bytes

/// A launch on gfx90a or gfx942.
class Fences : public ::testing::TestWithParam<bool> {
 protected:
  explicit Fences(unsigned groups = 2)
      : launch_(groups, 2,
                {.stores_show_atomicity = GetParam(),
                 .l2_is_shared = !GetParam(),
                 .learns_of_others = true,
                 .learns_in_group = true,
                 .orders_lds = true}) {}

  /// The site by which a fence is known: that of its first instruction.
  static std::uint32_t site_of(std::uint32_t site, bool of_system = false) {
    return GetParam() || of_system ? site : site + 1;
  }
  Reach reach(std::uint32_t site, bool of_system = false) {
    return launch_.check().fences().at(site_of(site, of_system)).reach;
  }
  /// Data, a fence at 10 and a flag.
  void send(unsigned group = 0, bool of_system = false) {
    launch_.access(group, 0, Does::kStore, MemorySpace::kGlobal, kData, 1, 1);
    launch_.fence(group, 0, 10, of_system);
    launch_.access(group, 0, Does::kAtomicStore, MemorySpace::kGlobal, kFlag, 2, 1);
  }
  /// The flag, a fence at 20 and the data.
  void receive(unsigned group, unsigned wave, bool of_system = false) {
    launch_.access(group, wave, Does::kAtomicLoad, MemorySpace::kGlobal, kFlag, 3, 1);
    launch_.wait(group, wave);
    launch_.fence(group, wave, 20, of_system);
    launch_.access(group, wave, Does::kLoad, MemorySpace::kGlobal, kData, 4, 1);
  }

  SmallLaunch launch_;
};
INSTANTIATE_TEST_SUITE_P(OnBothTargets, Fences, ::testing::Values(false, true));

TEST_P(Fences, OfAMessageBetweenWorkgroupsAreOfUse) {
  send();
  receive(1, 0);
  EXPECT_TRUE(launch_.found_nothing());
  EXPECT_EQ(reach(10), Reach::kDevice);
  EXPECT_EQ(reach(20), Reach::kDevice);
  EXPECT_EQ(launch_.check().fences().at(site_of(10)).learnt_by, 3u);
}

TEST_P(Fences, OfAMessageInAWorkgroupReachNoFarther) {
  send();
  receive(0, 1);
  EXPECT_EQ(reach(10), Reach::kGroup);
  EXPECT_EQ(reach(20), Reach::kGroup);
}

TEST_P(Fences, OfAMessageByAWordInLdsReachNoFarther) {
  launch_.access(0, 0, Does::kStore, MemorySpace::kGlobal, kData, 1, 1);
  launch_.fence(0, 0, 10);
  launch_.access(0, 0, Does::kSwap, MemorySpace::kLds, 0, 2, 1);
  launch_.access(0, 1, Does::kSwap, MemorySpace::kLds, 0, 3, 1);
  launch_.wait(0, 1);
  launch_.fence(0, 1, 20);
  EXPECT_EQ(reach(10), Reach::kGroup);
  EXPECT_EQ(reach(20), Reach::kGroup);
}

TEST_P(Fences, BehindWhichNobodyLooksAreOfNone) {
  send();
  send(1);
  const FenceUse& fence = launch_.check().fences().at(site_of(10));
  EXPECT_EQ(fence.reach, Reach::kNone);
  EXPECT_EQ(fence.executions, 2u);
  EXPECT_TRUE(is_too_much(fence));
}

TEST_P(Fences, AreOfNoUseIfOthersStandBetweenThemAndTheFlag) {
  launch_.access(0, 0, Does::kStore, MemorySpace::kGlobal, kData, 1, 1);
  launch_.fence(0, 0, 30);
  launch_.fence(0, 0, 10);
  launch_.access(0, 0, Does::kAtomicStore, MemorySpace::kGlobal, kFlag, 2, 1);
  receive(1, 0);
  EXPECT_EQ(reach(30), Reach::kNone);
  EXPECT_EQ(reach(10), Reach::kDevice);
}

TEST_P(Fences, OfEachWaveAreOfUseIfOneOfThemTellsBehindABarrier) {
  // data = ...; __threadfence(); __syncthreads(); if (threadIdx.x == 0) atomicExch(flag, 1);
  launch_.access(0, 1, Does::kStore, MemorySpace::kGlobal, kData, 1, 1);
  launch_.fence(0, 1, 10);
  launch_.barrier(0);
  launch_.access(0, 0, Does::kSwap, MemorySpace::kGlobal, kFlag, 2, 1);
  receive(1, 0);
  EXPECT_TRUE(launch_.found_nothing());
  EXPECT_EQ(reach(10), Reach::kDevice);
  EXPECT_EQ(reach(20), Reach::kDevice);
}

TEST_P(Fences, OfWavesThatLearnAtABarrierAreOfUse) {
  // The last workgroup: its leader counts, all look at what the others have left.
  send();
  launch_.access(1, 0, Does::kSwap, MemorySpace::kGlobal, kFlag, 3, 1);
  launch_.wait(1, 0);
  launch_.barrier(1);
  launch_.fence(1, 1, 20);
  launch_.access(1, 1, Does::kLoad, MemorySpace::kGlobal, kData, 4, 1);
  EXPECT_TRUE(launch_.found_nothing());
  EXPECT_EQ(reach(20), Reach::kDevice);
}

TEST_P(Fences, OfACounterThatIsOnlyCountedAreOfNone) {
  for (const unsigned group : {0u, 1u}) {
    launch_.access(group, 0, Does::kAdd, MemorySpace::kGlobal, kFlag, 1, 1);
    launch_.fence(group, 0, 10);
  }
  EXPECT_EQ(reach(10), Reach::kNone);
}

TEST_P(Fences, BetweenAStoreAndALookAtAnothersAreOfUse) {
  for (const unsigned group : {0u, 1u}) {
    const std::uint32_t mine = group == 0 ? kData : kFlag, others = kData + kFlag - mine;
    launch_.access(group, 0, Does::kAtomicStore, MemorySpace::kGlobal, mine, 1, 1);
    launch_.fence(group, 0, 10);
    launch_.access(group, 0, Does::kAtomicLoad, MemorySpace::kGlobal, others, 2, 1);
  }
  EXPECT_EQ(reach(10), Reach::kDevice);
}

TEST_P(Fences, OfTheSystemAreTooMuchForTheDevice) {
  send(0, true);
  receive(1, 0, true);
  for (const std::uint32_t site : {10u, 20u}) {
    const FenceUse& fence = launch_.check().fences().at(site_of(site, true));
    EXPECT_EQ(fence.reach, Reach::kDevice);
    EXPECT_TRUE(fence.of_system);
    EXPECT_TRUE(is_too_much(fence));
    EXPECT_EQ(fence.executions, 1u) << "its instructions are one";
  }
}

TEST_P(Fences, OfOneWorkgroupAreNotJudged) {
  SmallLaunch alone(1, 1, {.stores_show_atomicity = GetParam(), .learns_of_others = true});
  alone.fence(0, 0, 10);
  EXPECT_TRUE(alone.check().fences().empty());
}

TEST_P(Fences, ThatStandBeforeAndBehindAMeetingOfAllWorkgroupsAreOfUse) {
  for (unsigned group = 0; group < 2; ++group) launch_.fence(group, 0, 10);
  for (unsigned group = 0; group < 2; ++group) launch_.global_barrier(group);
  for (unsigned group = 0; group < 2; ++group) launch_.fence(group, 0, 20);
  EXPECT_EQ(reach(10), Reach::kDevice);
  EXPECT_EQ(reach(20), Reach::kDevice);
}

}  // namespace
}  // namespace wavetank::check
