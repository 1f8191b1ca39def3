// Stream-ordered pools: which memory serves which allocation, and what is counted.
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>

#include "unit/hip/gate.hpp"

namespace {

using wavetank::tests::Gate;

constexpr std::size_t kPage = 4096;

class HipPools : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WAVETANK_DEVICE", "mi210", 1); }
  void SetUp() override {
    pool = create_pool();
    std::uint64_t all = UINT64_MAX;
    set(hipMemPoolAttrReleaseThreshold, all);
    ASSERT_EQ(hipStreamCreateWithFlags(&a, hipStreamNonBlocking), hipSuccess);
    ASSERT_EQ(hipStreamCreateWithFlags(&b, hipStreamNonBlocking), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipStreamDestroy(a), hipSuccess);
    EXPECT_EQ(hipStreamDestroy(b), hipSuccess);
    EXPECT_EQ(hipMemPoolDestroy(pool), hipSuccess);
  }

  static hipMemPool_t create_pool() {
    hipMemPoolProps wanted{};
    wanted.allocType = hipMemAllocationTypePinned;
    wanted.location = {hipMemLocationTypeDevice, 0};
    hipMemPool_t made = nullptr;
    EXPECT_EQ(hipMemPoolCreate(&made, &wanted), hipSuccess);
    return made;
  }
  void* allocate(std::size_t size, hipStream_t stream) {
    void* memory = nullptr;
    EXPECT_EQ(hipMallocFromPoolAsync(&memory, size, pool, stream), hipSuccess);
    return memory;
  }
  static void free(void* memory, hipStream_t stream) {
    EXPECT_EQ(hipFreeAsync(memory, stream), hipSuccess);
  }
  template <class Value>
  void set(hipMemPoolAttr attribute, Value value) {
    EXPECT_EQ(hipMemPoolSetAttribute(pool, attribute, &value), hipSuccess);
  }
  std::uint64_t get(hipMemPoolAttr attribute) {
    std::uint64_t value = 0;
    EXPECT_EQ(hipMemPoolGetAttribute(pool, attribute, &value), hipSuccess);
    return value;
  }
  std::uint64_t used() { return get(hipMemPoolAttrUsedMemCurrent); }
  std::uint64_t reserved() { return get(hipMemPoolAttrReservedMemCurrent); }
  static void wait(hipStream_t stream) { EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess); }

  hipMemPool_t pool = nullptr;
  hipStream_t a = nullptr;
  hipStream_t b = nullptr;
};

/// Makes a stream wait for all that another was given.
void follow(hipStream_t stream, hipStream_t other) {
  hipEvent_t event = nullptr;
  EXPECT_EQ(hipEventCreateWithFlags(&event, hipEventDisableTiming), hipSuccess);
  EXPECT_EQ(hipEventRecord(event, other), hipSuccess);
  EXPECT_EQ(hipStreamWaitEvent(stream, event, 0), hipSuccess);
  EXPECT_EQ(hipEventDestroy(event), hipSuccess);
}

bool is_known(void* memory) {
  hipPointerAttribute_t attributes;
  return hipPointerGetAttributes(&attributes, memory) == hipSuccess;
}

}  // namespace

TEST_F(HipPools, TheStreamThatFreedGetsItsMemoryAgainBeforeItHasRunTheFree) {
  void* const first = allocate(kPage, a);
  Gate gate;
  gate.put_on(a);
  free(first, a);
  EXPECT_EQ(allocate(kPage, a), first);
  gate.open();
  EXPECT_EQ(hipMemsetAsync(first, 7, kPage, a), hipSuccess);
  wait(a);
  std::vector<unsigned char> bytes(kPage);
  EXPECT_EQ(hipMemcpy(bytes.data(), first, kPage, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(bytes, std::vector<unsigned char>(kPage, 7));
  free(first, a);
}

TEST_F(HipPools, ACopyOnAStreamThatDoesNotWaitForTheAllocationRunsAfterItAllTheSame) {
  void* const memory = allocate(kPage, a);
  Gate gate;
  gate.put_on(a);
  free(memory, a);
  ASSERT_EQ(allocate(kPage, a), memory);
  EXPECT_EQ(hipMemsetAsync(memory, 7, kPage, b), hipSuccess);
  EXPECT_EQ(hipStreamQuery(b), hipErrorNotReady);
  gate.open();
  wait(b);
  unsigned char last = 0;
  EXPECT_EQ(hipMemcpy(&last, static_cast<char*>(memory) + kPage - 1, 1, hipMemcpyDeviceToHost),
            hipSuccess);
  EXPECT_EQ(last, 7);
  free(memory, a);
}

TEST_F(HipPools, AnotherStreamGetsMemoryOnlyOnceTheFreeHasRun) {
  void* const first = allocate(kPage, a);
  Gate gate;
  gate.put_on(a);
  free(first, a);
  void* const second = allocate(kPage, b);
  EXPECT_NE(second, first);
  gate.open();
  wait(a);
  EXPECT_EQ(allocate(kPage, b), first);
  free(first, b);
  free(second, b);
}

TEST_F(HipPools, AStreamThatWaitsForAnEventBehindTheFreeGetsTheMemory) {
  void* const first = allocate(kPage, a);
  Gate gate;
  gate.put_on(a);
  follow(b, a);
  free(first, a);
  void* const second = allocate(kPage, b);
  EXPECT_NE(second, first) << "the event was before the free";
  follow(b, a);
  EXPECT_EQ(allocate(kPage, b), first);
  gate.open();
  wait(b);
  free(first, b);
  free(second, b);
}

TEST_F(HipPools, TheNullStreamComesAfterTheFreesOfBlockingStreams) {
  hipStream_t blocking = nullptr;
  ASSERT_EQ(hipStreamCreate(&blocking), hipSuccess);
  void* const first = allocate(kPage, blocking);
  Gate gate;
  gate.put_on(blocking);
  free(first, blocking);
  EXPECT_EQ(allocate(kPage, nullptr), first);
  gate.open();
  EXPECT_EQ(hipMemsetAsync(first, 1, kPage, nullptr), hipSuccess);
  free(first, nullptr);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(blocking), hipSuccess);
}

TEST_F(HipPools, TheReuseFlagsForbidMemoryOfOtherStreams) {
  void* const first = allocate(kPage, a);
  free(first, a);
  wait(a);
  set(hipMemPoolReuseAllowOpportunistic, 0);
  void* const second = allocate(kPage, b);
  EXPECT_NE(second, first);
  set(hipMemPoolReuseFollowEventDependencies, 0);
  follow(b, a);
  void* const third = allocate(kPage, b);
  EXPECT_NE(third, first);
  set(hipMemPoolReuseFollowEventDependencies, 1);
  EXPECT_EQ(allocate(kPage, b), first);
  for (void* memory : {first, second, third}) free(memory, b);
}

TEST_F(HipPools, AnAllocationTakesMemoryOfItsPagesOrAnEighthMore) {
  void* const nine = allocate(9 * kPage, a);
  free(nine, a);
  void* const seven = allocate(7 * kPage, a);
  EXPECT_NE(seven, nine);
  void* const ten = allocate(9 * kPage + 1, a);
  EXPECT_NE(ten, nine);
  EXPECT_EQ(allocate(7 * kPage + 1, a), nine);
  for (void* memory : {nine, seven, ten}) free(memory, a);
}

TEST_F(HipPools, FreedMemoryIsNobodysUntilItIsHandedOutAgain) {
  auto* const memory = static_cast<char*>(allocate(2 * kPage, a));
  free(memory, a);
  wait(a);
  EXPECT_FALSE(is_known(memory));
  EXPECT_EQ(hipMemset(memory, 0, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipFreeAsync(memory, a), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(memory), hipErrorInvalidValue);
  EXPECT_EQ(allocate(kPage + 100, a), memory);
  EXPECT_TRUE(is_known(memory));
  EXPECT_EQ(hipMemset(memory, 0, kPage + 100), hipSuccess);
  EXPECT_EQ(hipMemset(memory, 0, kPage + 101), hipErrorInvalidValue);
  EXPECT_FALSE(is_known(memory + kPage + 100));
  // The fill may still run, and a non-blocking stream does not wait for it.
  wait(nullptr);
  free(memory, a);
}

TEST_F(HipPools, MemoryIsFreedOnceEvenBeforeTheStreamComesToTheFree) {
  void* const memory = allocate(kPage, a);
  Gate gate;
  gate.put_on(a);
  free(memory, a);
  EXPECT_EQ(hipFreeAsync(memory, a), hipErrorInvalidValue);
  EXPECT_EQ(used(), 0u);
  gate.open();
  wait(a);
}

TEST_F(HipPools, UsedBytesAreThoseAskedForAndReservedBytesThoseOfPages) {
  void* const small = allocate(100, a);
  void* const large = allocate(kPage + 1, a);
  EXPECT_EQ(used(), kPage + 101);
  EXPECT_EQ(reserved(), 3 * kPage);
  free(large, a);
  EXPECT_EQ(used(), 100u);
  wait(a);
  EXPECT_EQ(reserved(), 3 * kPage);
  EXPECT_EQ(get(hipMemPoolAttrUsedMemHigh), kPage + 101);
  free(small, a);
  wait(a);
  EXPECT_EQ(hipMemPoolTrimTo(pool, 0), hipSuccess);
  EXPECT_EQ(reserved(), 0u);
  EXPECT_EQ(get(hipMemPoolAttrReservedMemHigh), 3 * kPage);
  set(hipMemPoolAttrReservedMemHigh, std::uint64_t{0});
  EXPECT_EQ(get(hipMemPoolAttrReservedMemHigh), 0u);
  EXPECT_EQ(get(hipMemPoolAttrUsedMemHigh), kPage + 101);
  set(hipMemPoolAttrUsedMemHigh, std::uint64_t{0});
  EXPECT_EQ(get(hipMemPoolAttrUsedMemHigh), 0u);
}

TEST_F(HipPools, TrimmingLeavesWhatIsInUseAndWhatMayStillRun) {
  void* const kept = allocate(kPage, a);
  void* const freed = allocate(4 * kPage, a);
  Gate gate;
  gate.put_on(a);
  free(freed, a);
  EXPECT_EQ(hipMemPoolTrimTo(pool, 0), hipSuccess);
  EXPECT_EQ(reserved(), 5 * kPage);
  gate.open();
  wait(a);
  EXPECT_EQ(hipMemPoolTrimTo(pool, 5 * kPage), hipSuccess);
  EXPECT_EQ(reserved(), 5 * kPage);
  EXPECT_EQ(hipMemPoolTrimTo(pool, 5 * kPage - 1), hipSuccess);
  EXPECT_EQ(reserved(), kPage);
  free(kept, a);
}

TEST_F(HipPools, WaitingGivesBackWhatIsAboveTheReleaseThreshold) {
  const auto free_bytes = [] {
    std::size_t available = 0, total = 0;
    EXPECT_EQ(hipMemGetInfo(&available, &total), hipSuccess);
    return available;
  };
  set(hipMemPoolAttrReleaseThreshold, std::uint64_t{2 * kPage});
  const std::size_t before = free_bytes();
  std::vector<void*> blocks;
  for (int i = 0; i < 3; ++i) blocks.push_back(allocate(kPage, a));
  for (void* memory : blocks) free(memory, a);
  wait(a);
  EXPECT_EQ(reserved(), 2 * kPage);
  EXPECT_EQ(free_bytes(), before - 2 * kPage);
  set(hipMemPoolAttrReleaseThreshold, std::uint64_t{0});
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(reserved(), 0u);
  EXPECT_EQ(free_bytes(), before);
}

TEST_F(HipPools, ADestroyedPoolGivesBackWhatItHasAndLaterTheRest) {
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(hipMemGetInfo(&before, &total), hipSuccess);
  hipMemPool_t const next = create_pool();
  void* const kept = allocate(kPage, a);
  void* const freed = allocate(kPage, a);
  free(freed, a);
  wait(a);
  EXPECT_EQ(hipMemPoolDestroy(pool), hipSuccess);
  EXPECT_TRUE(is_known(kept));
  EXPECT_FALSE(is_known(freed));
  free(kept, a);
  wait(a);
  ASSERT_EQ(hipMemGetInfo(&after, &total), hipSuccess);
  EXPECT_EQ(after, before);
  pool = next;
}

TEST_F(HipPools, FreeWithoutAStreamGivesMemoryToAllStreams) {
  void* const memory = allocate(kPage, a);
  EXPECT_EQ(hipFree(memory), hipSuccess);
  EXPECT_EQ(used(), 0u);
  EXPECT_FALSE(is_known(memory));
  EXPECT_EQ(allocate(kPage, b), memory);
  free(memory, b);
}

TEST_F(HipPools, WhatAStreamPutsIntoItsMemoryIsThereUntilItFreesIt) {
  // Each round's memory is full of one byte from the fill to the copy, whoever had it before.
  constexpr int kRounds = 2000;
  const std::vector<hipStream_t> streams = {a, b, nullptr, hipStreamPerThread};
  unsigned char* results = nullptr;
  ASSERT_EQ(hipHostMalloc(reinterpret_cast<void**>(&results), 2 * kRounds, 0), hipSuccess);
  std::mt19937 random(1);
  const auto pick = [&](std::size_t count) { return random() % count; };
  int reused = 0;
  std::set<void*> seen;
  for (int i = 0; i < kRounds; ++i) {
    const hipStream_t stream = streams[pick(streams.size())];
    if (pick(4) == 0) follow(stream, streams[pick(streams.size())]);
    const std::size_t size = (1 + pick(3)) * kPage - pick(2) * 100;
    auto* const memory = static_cast<unsigned char*>(allocate(size, stream));
    reused += seen.insert(memory).second ? 0 : 1;
    EXPECT_EQ(hipMemsetAsync(memory, i % 251, size, stream), hipSuccess);
    EXPECT_EQ(hipMemcpyAsync(results + 2 * i, memory, 1, hipMemcpyDefault, stream), hipSuccess);
    EXPECT_EQ(hipMemcpyAsync(results + 2 * i + 1, memory + size - 1, 1, hipMemcpyDefault, stream),
              hipSuccess);
    free(memory, stream);
    if (pick(100) == 0) wait(stream);
  }
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_GT(reused, kRounds / 2);
  EXPECT_EQ(used(), 0u);
  for (int i = 0; i < kRounds; ++i) {
    ASSERT_EQ(results[2 * i], i % 251) << i;
    ASSERT_EQ(results[2 * i + 1], i % 251) << i;
  }
  EXPECT_EQ(hipHostFree(results), hipSuccess);
}

TEST_F(HipPools, AnAllocationThatFitsOnlyIntoKeptMemoryGetsIt) {
  std::size_t available = 0, total = 0;
  ASSERT_EQ(hipMemGetInfo(&available, &total), hipSuccess);
  void* const half = allocate(available / 2 + kPage, a);
  free(half, a);
  wait(a);
  ASSERT_GT(reserved(), available / 2);
  void* memory = nullptr;
  EXPECT_EQ(hipMalloc(&memory, available / 2 + 4 * kPage), hipSuccess);
  EXPECT_EQ(reserved(), 0u);
  EXPECT_EQ(hipFree(memory), hipSuccess);
}
