// Rules about atomics and compare-and-swap loops.
#include <gmock/gmock.h>

#include "profile/launch_overhead.hpp"
#include "unit/profile/finding_samples.hpp"

namespace wavetank::profile {
namespace {

using testing::HasSubstr;

TEST(Finding, CompareAndSwapIsALoopAndOtherAtomicsAreAtomics) {
  const auto swap = found("swap-loop", {access("global_atomic_cmpswap", 0, 1, 1)});
  ASSERT_TRUE(swap);
  EXPECT_THAT(swap->text, HasSubstr("compare-and-swap of in"));
  EXPECT_FALSE(found("atomics", {access("global_atomic_cmpswap", 0, 1, 1)}));
  EXPECT_TRUE(found("atomics", {access("global_atomic_add", 0, 1, 1)}));
}

TEST(Finding, ASwapLoopGainsTheTriesThatFail) {
  InstructionProfile before = vector("v_mov_b32", 6, 250);
  InstructionProfile swap = access("global_atomic_cmpswap", 0, 1, 1);
  const auto finding = found("swap-loop", {before, swap});
  EXPECT_THAT(finding->text, HasSubstr("a wave tries 4 times"));
  ASSERT_TRUE(finding->is_estimated);
  const double once = *found("swap-loop", {swap})->gain_percent;
  EXPECT_EQ(once, 0) << "nothing says how often it is begun";
  const LaunchProfile launch = vector_copy();
  const double running = 100 * running_share(launch);
  EXPECT_NEAR(*finding->gain_percent, finding->weight / 100 * running * 3 / 4, 1e-9);
}

TEST(Finding, AtomicsThatNobodyWaitsForAreFoundByTheirNumber) {
  InstructionProfile atomic = access("global_atomic_add", 0, 1, 1);
  atomic.cycles = {};
  InstructionProfile load = access("global_load_dwordx4", 16, 16, 16);
  load.line = 8;
  load.hits = 9 * atomic.hits;
  EXPECT_TRUE(found("atomics", {atomic, load}));
  load.hits = 9.1 * atomic.hits;
  EXPECT_FALSE(found("atomics", {atomic, load}));
}

TEST(Finding, AtomicsTakeTheCyclesThatWavesWaitForThemNotThoseOfTheirLine) {
  InstructionProfile atomic = access("global_atomic_add", 0, 1, 1);
  const auto whole = static_cast<double>(total_cycles(atomic.cycles));
  atomic.cycles = {};
  InstructionProfile load = access("global_load_dword", 4, 2, 2);
  const auto share = [&](double awaited) {
    atomic.awaited_cycles = awaited;
    return found("atomics", {atomic, load})->text;
  };
  const std::string all = found("atomics", {access("global_atomic_add", 0, 1, 1), load})->text;
  EXPECT_EQ(share(whole), all) << "the same, spent in s_waitcnt";
  EXPECT_NE(share(whole / 2), all);
  EXPECT_THAT(share(0), HasSubstr("50 % of the memory instructions, 0 % of the waves' cycles"));
}

TEST(Finding, AtomicsOfTheLdsAreAtomics) {
  InstructionProfile atomic = access("ds_add_u32", 0, 0, 0);
  atomic.access = "bins[i % 4]";
  atomic.array.clear();
  const auto finding = found("atomics", {atomic});
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->text, HasSubstr("atomics of bins[i % 4]: 100 % of the memory instructions"));
}

}  // namespace
}  // namespace wavetank::profile
