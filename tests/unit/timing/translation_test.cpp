// Translations of a CU: RRZE-HPC/gpu-benches gpu-latency rises beyond 32 pages of 2 MiB.
#include "timing/memory/translation.hpp"
#include "scripted_wave.hpp"
#include "timing/units/vector_memory_unit.hpp"

#include <gtest/gtest.h>

namespace wavetank::timing {
namespace {

constexpr TranslationSpec kSpec{
    .entries = 4, .miss_latency = 100, .miss_interval = 60, .page_bytes = 4096};

TEST(TranslationCache, AMissTakesItsTimeAndAHitNone) {
  TranslationCache cache(kSpec);
  std::uint64_t missed = 0;
  EXPECT_EQ(cache.translate(0, 1000, missed), 1100u);
  EXPECT_EQ(cache.translate(4095, 1000, missed), 1100u) << "it joins the miss of its page";
  EXPECT_EQ(cache.translate(8, 2000, missed), 2000u);
  EXPECT_EQ(missed, 1u);
}

TEST(TranslationCache, MissesFollowEachOtherInTheirInterval) {
  TranslationCache cache(kSpec);
  std::uint64_t missed = 0;
  EXPECT_EQ(cache.translate(0 * 4096, 0, missed), 100u);
  EXPECT_EQ(cache.translate(1 * 4096, 0, missed), 160u);
  EXPECT_EQ(cache.translate(2 * 4096, 0, missed), 220u);
}

TEST(TranslationCache, IsBusyWhileItAsks) {
  TranslationCache cache(kSpec);
  std::uint64_t missed = 0;
  for (const std::uint64_t page : {0, 1, 0, 2, 2}) cache.translate(page * 4096, 0, missed);
  EXPECT_EQ(cache.busy_cycles(), 3u * 60);
  cache.start_launch();
  EXPECT_EQ(cache.busy_cycles(), 0u);
}

TEST(TranslationCache, AHitPassesAMissOfAnotherPage) {
  TranslationCache cache(kSpec);
  std::uint64_t missed = 0;
  cache.translate(0, 0, missed);
  cache.translate(4096, 1000, missed);
  EXPECT_EQ(cache.translate(0, 1001, missed), 1001u);
}

TEST(TranslationCache, KeepsThePagesUsedLastAndOneTooManyGoingRoundMissesAlways) {
  TranslationCache cache(kSpec);
  std::uint64_t missed = 0, time = 0;
  for (unsigned i = 0; i < 40; ++i) cache.translate((i % 4) * 4096, time += 1000, missed);
  EXPECT_EQ(missed, 4u);
  missed = 0;
  for (unsigned i = 0; i < 40; ++i) cache.translate((i % 5) * 4096, time += 1000, missed);
  EXPECT_GT(missed, 35u);
}

TEST(Translation, LongWaitsKeepTheUnitFromTakingMore) {
  const TimingSpec& spec = testing::spec_of("mi300x");
  const machine::StepFacts facts = testing::assembled("global_load_dword v2, v1, s[0:1]", spec);
  CuCounters counters;
  VectorMemoryUnit unit(spec, 0, counters);
  PlannedAccesses plans;
  std::uint64_t page = 0;
  std::uint64_t taken = 0;
  for (; unit.accepts_at() == 0; ++taken) {
    machine::Step step;
    testing::fill_access(step, facts,
                         [&](unsigned) { return page++ * spec.translation.page_bytes; });
    unit.issue(step, 0, plans);
  }
  const std::uint64_t walk = std::uint64_t{64} * spec.translation.miss_interval;
  EXPECT_LT(taken, spec.vmem.queue_depth) << "the queue has room";
  EXPECT_LT(unit.accepts_at(), taken * walk) << "but it takes the next before all are translated";
}

}  // namespace
}  // namespace wavetank::timing
