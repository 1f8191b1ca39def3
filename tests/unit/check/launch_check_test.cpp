#include "check/launch_check.hpp"

#include <gtest/gtest.h>

#include "small_launch.hpp"

namespace wavetank::check {
namespace {

using machine::MemorySpace;

const LaunchFacts kBarriersOnly{.stores_show_atomicity = true};
const LaunchFacts kWithWords{
    .stores_show_atomicity = false, .learns_in_group = true, .orders_lds = true};

TEST(LaunchCheck, ALoadBehindABarrierIsOrderedAndOneWithoutIsARace) {
  for (const MemorySpace space : {MemorySpace::kLds, MemorySpace::kGlobal}) {
    SmallLaunch launch(1, 2, kBarriersOnly);
    launch.access(0, 0, Does::kStore, space, 0, 1);
    launch.barrier(0);
    launch.access(0, 1, Does::kLoad, space, 0, 2);
    EXPECT_TRUE(launch.found_nothing());
    launch.access(0, 0, Does::kStore, space, 0, 3);
    const auto found = launch.check().findings().sorted();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, Kind::kDataRace);
    EXPECT_EQ(found[0].first.site, 2u);
    EXPECT_EQ(found[0].second.site, 3u);
  }
}

TEST(LaunchCheck, WorkgroupsHaveTheirOwnLdsAndShareMemory) {
  SmallLaunch launch(2, 1, kBarriersOnly);
  launch.access(0, 0, Does::kStore, MemorySpace::kLds, 0);
  launch.access(1, 0, Does::kStore, MemorySpace::kLds, 0);
  EXPECT_TRUE(launch.found_nothing());
  launch.access(0, 0, Does::kStore, MemorySpace::kGlobal, 0);
  launch.access(1, 0, Does::kLoad, MemorySpace::kGlobal, 0);
  EXPECT_FALSE(launch.found_nothing());
}

TEST(LaunchCheck, ASwapInLdsHandsOnWhatItsWaveStored) {
  SmallLaunch launch(1, 2, kWithWords);
  launch.access(0, 0, Does::kStore, MemorySpace::kLds, 0, 1);
  launch.access(0, 0, Does::kSwap, MemorySpace::kLds, 1024, 2, 1);
  launch.access(0, 1, Does::kSwap, MemorySpace::kLds, 1024, 3, 1);
  launch.access(0, 1, Does::kLoad, MemorySpace::kLds, 0, 4);
  EXPECT_TRUE(launch.found_nothing());
  launch.access(0, 0, Does::kStore, MemorySpace::kLds, 0, 5);
  EXPECT_FALSE(launch.found_nothing()) << "nothing was handed back";
}

TEST(LaunchCheck, AWordInLdsHandsOnWhatWasStoredToMemory) {
  SmallLaunch launch(1, 2, kWithWords);
  launch.access(0, 0, Does::kStore, MemorySpace::kGlobal, 0, 1);
  launch.access(0, 0, Does::kAdd, MemorySpace::kLds, 0, 2, 1);
  launch.access(0, 1, Does::kSwap, MemorySpace::kLds, 0, 3, 1);
  launch.access(0, 1, Does::kLoad, MemorySpace::kGlobal, 0, 4);
  EXPECT_TRUE(launch.found_nothing());
}

TEST(LaunchCheck, AWordInLdsGetsItsFirstValueBeforeOtherWavesUseIt) {
  for (const bool stores_first : {true, false}) {
    SmallLaunch launch(1, 2, kWithWords);
    if (!stores_first) launch.access(0, 1, Does::kSwap, MemorySpace::kLds, 0, 1, 1);
    launch.access(0, 0, Does::kStore, MemorySpace::kLds, 0, 2, 1);
    if (stores_first) launch.access(0, 1, Does::kSwap, MemorySpace::kLds, 0, 1, 1);
    EXPECT_FALSE(launch.found_nothing());
  }
}

TEST(LaunchCheck, ALaterStoreToAWordInLdsHandsItBack) {
  SmallLaunch launch(1, 2, kWithWords);
  launch.access(0, 0, Does::kStore, MemorySpace::kLds, 0, 1, 1);
  launch.wait(0, 0);
  launch.barrier(0);
  launch.access(0, 1, Does::kSwap, MemorySpace::kLds, 0, 2, 1);
  launch.access(0, 1, Does::kStore, MemorySpace::kLds, 0, 3, 1);
  launch.access(0, 0, Does::kSwap, MemorySpace::kLds, 0, 4, 1);
  EXPECT_TRUE(launch.found_nothing());
}

TEST(LaunchCheck, ACounterThatIsSetPlainlyOrdersNothing) {
  SmallLaunch launch(1, 2, kWithWords);
  launch.access(0, 0, Does::kStore, MemorySpace::kLds, 0, 1, 1);
  launch.access(0, 1, Does::kAdd, MemorySpace::kLds, 0, 2, 1);
  EXPECT_FALSE(launch.found_nothing());
}

TEST(LaunchCheck, AccessesToLdsThatAreUnderWayAtABarrierAreNotOrderedByIt) {
  for (const bool waits : {true, false}) {
    SmallLaunch launch(1, 2, kWithWords);
    launch.access(0, 0, Does::kStore, MemorySpace::kLds, 0, 1);
    if (waits) launch.wait(0, 0);
    launch.barrier(0);
    launch.access(0, 1, Does::kLoad, MemorySpace::kLds, 0, 2);
    EXPECT_EQ(launch.found_nothing(), waits);
  }
}

TEST(LaunchCheck, AnAtomicHandsOnTheStoreWhoseValueItChanges) {
  for (const bool waits : {true, false}) {
    SmallLaunch launch(3, 1, {.stores_show_atomicity = true, .learns_of_others = true});
    launch.access(0, 0, Does::kStore, MemorySpace::kGlobal, 0, 1);
    if (waits) launch.wait(0, 0);
    launch.access(0, 0, Does::kAtomicStore, MemorySpace::kGlobal, 1024, 2, 1);
    launch.access(1, 0, Does::kSwap, MemorySpace::kGlobal, 1024, 3, 1);
    launch.access(2, 0, Does::kSwap, MemorySpace::kGlobal, 1024, 3, 1);
    launch.wait(2, 0);
    launch.access(2, 0, Does::kStore, MemorySpace::kGlobal, 0, 4);
    EXPECT_EQ(launch.found_nothing(), waits);
  }
}

TEST(LaunchCheck, ALoadThatIsNotWorthCachingIsAPlainOneOnGfx90a) {
  // glc and slc together: nontemporal (LLVM AMDGPUUsage, "Memory Model gfx90a").
  SmallLaunch launch(2, 1, {.stores_show_atomicity = false});
  launch.access(0, 0, Does::kStore, MemorySpace::kGlobal, 0, 1);
  launch.access_nontemporal(1, 0, 0, 2);
  EXPECT_FALSE(launch.found_nothing());
  SmallLaunch atomic(2, 1, {.stores_show_atomicity = false});
  atomic.access(0, 0, Does::kStore, MemorySpace::kGlobal, 0, 1);
  atomic.access(1, 0, Does::kAtomicLoad, MemorySpace::kGlobal, 0, 2);
  EXPECT_TRUE(atomic.found_nothing());
}

TEST(LaunchCheck, ForgetsEarlierLaunchesWhenNumbersOfWorkgroupsRunOut) {
  Memory history;
  UndefinedMemory undefined(0, 0);
  LaunchFacts most = kBarriersOnly;
  most.groups = Record::kMostActor - 2;
  {
    const LaunchCheck first(history, undefined, most);
    EXPECT_FALSE(first.gave_up());
  }
  LaunchFacts few = kBarriersOnly;
  few.groups = 10;
  const LaunchCheck second(history, undefined, few);
  EXPECT_FALSE(second.gave_up());
  EXPECT_EQ(history.next_actor, 11u) << "counting began again";
  LaunchFacts too_many = kBarriersOnly;
  too_many.groups = Record::kMostActor;
  EXPECT_TRUE(LaunchCheck(history, undefined, too_many).gave_up());
}

}  // namespace
}  // namespace wavetank::check
