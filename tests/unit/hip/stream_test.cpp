#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "unit/hip/gate.hpp"

namespace {

using wavetank::tests::Gate;

/// Remembers in which order marks were reached.
class Order {
 public:
  struct Mark {
    Order* order;
    char letter;
  };
  void put_on(hipStream_t stream, char letter) {
    auto* mark = new Mark{this, letter};
    ASSERT_EQ(hipLaunchHostFunc(
                  stream,
                  [](void* data) {
                    auto* reached = static_cast<Mark*>(data);
                    const std::lock_guard lock(reached->order->mutex_);
                    reached->order->letters_ += reached->letter;
                    delete reached;
                  },
                  mark),
              hipSuccess);
  }
  std::string letters() {
    const std::lock_guard lock(mutex_);
    return letters_;
  }

 private:
  std::mutex mutex_;
  std::string letters_;
};

class HipStreams : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipStreamCreate(&a), hipSuccess);
    ASSERT_EQ(hipStreamCreate(&b), hipSuccess);
    ASSERT_EQ(hipStreamCreateWithFlags(&free, hipStreamNonBlocking), hipSuccess);
  }
  void TearDown() override {
    for (hipStream_t stream : {a, b, free}) EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  }
  hipStream_t a = nullptr;
  hipStream_t b = nullptr;
  hipStream_t free = nullptr;
};

}  // namespace

TEST_F(HipStreams, OperationsOfAStreamRunInOrder) {
  Order order;
  for (char letter = 'a'; letter <= 'z'; ++letter) order.put_on(a, letter);
  EXPECT_EQ(hipStreamSynchronize(a), hipSuccess);
  EXPECT_EQ(order.letters(), "abcdefghijklmnopqrstuvwxyz");
}

TEST_F(HipStreams, AStreamIsNotReadyUntilItsWorkIsDone) {
  Gate gate;
  EXPECT_EQ(hipStreamQuery(a), hipSuccess);
  gate.put_on(a);
  EXPECT_EQ(hipStreamQuery(a), hipErrorNotReady);
  EXPECT_EQ(hipStreamQuery(b), hipSuccess);
  gate.open();
  EXPECT_EQ(hipStreamSynchronize(a), hipSuccess);
  EXPECT_EQ(hipStreamQuery(a), hipSuccess);
}

TEST_F(HipStreams, TheNullStreamWaitsForBlockingStreamsAndTheyForIt) {
  Gate gate;
  Order order;
  gate.put_on(a);
  order.put_on(a, '1');
  order.put_on(nullptr, '2');
  order.put_on(b, '3');
  EXPECT_EQ(hipStreamQuery(b), hipErrorNotReady);
  EXPECT_EQ(order.letters(), "");
  gate.open();
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(order.letters(), "123");
}

TEST_F(HipStreams, ANonBlockingStreamDoesNotWaitForTheNullStream) {
  Gate gate;
  Order order;
  gate.put_on(nullptr);
  order.put_on(free, 'f');
  EXPECT_EQ(hipStreamSynchronize(free), hipSuccess);
  EXPECT_EQ(order.letters(), "f");
  EXPECT_EQ(hipStreamQuery(nullptr), hipErrorNotReady);
  gate.open();
  EXPECT_EQ(hipStreamSynchronize(nullptr), hipSuccess);
}

TEST_F(HipStreams, AnEventOrdersTwoStreams) {
  Gate gate;
  Order order;
  hipEvent_t event = nullptr;
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  gate.put_on(a);
  order.put_on(a, '1');
  ASSERT_EQ(hipEventRecord(event, a), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(free, event, 0), hipSuccess);
  order.put_on(free, '2');
  EXPECT_EQ(hipStreamQuery(free), hipErrorNotReady);
  gate.open();
  EXPECT_EQ(hipStreamSynchronize(free), hipSuccess);
  EXPECT_EQ(order.letters(), "12");
  EXPECT_EQ(hipEventDestroy(event), hipSuccess);
}

TEST_F(HipStreams, AnEventThatWasNeverRecordedHoldsNobodyUp) {
  hipEvent_t event = nullptr;
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  EXPECT_EQ(hipStreamWaitEvent(a, event, 0), hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(a), hipSuccess);
  EXPECT_EQ(hipEventDestroy(event), hipSuccess);
}

TEST_F(HipStreams, ACallbackGetsTheStreamItsStatusAndTheData) {
  struct Seen {
    hipStream_t stream = nullptr;
    hipError_t status = hipErrorUnknown;
  } seen;
  const auto callback = [](hipStream_t stream, hipError_t status, void* data) {
    *static_cast<Seen*>(data) = {stream, status};
  };
  ASSERT_EQ(hipStreamAddCallback(a, callback, &seen, 0), hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(a), hipSuccess);
  EXPECT_EQ(seen.stream, a);
  EXPECT_EQ(seen.status, hipSuccess);
  EXPECT_EQ(hipStreamAddCallback(a, nullptr, &seen, 0), hipErrorInvalidValue);
}

TEST_F(HipStreams, FlagsAndPrioritiesAreKept) {
  unsigned flags = 99;
  EXPECT_EQ(hipStreamGetFlags(free, &flags), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(hipStreamNonBlocking));
  EXPECT_EQ(hipStreamGetFlags(hipStreamPerThread, &flags), hipSuccess);
  EXPECT_EQ(hipStreamGetFlags(nullptr, &flags), hipErrorInvalidValue) << "as AMD's runtime";
  int least = 0;
  int greatest = 0;
  EXPECT_EQ(hipDeviceGetStreamPriorityRange(&least, &greatest), hipSuccess);
  EXPECT_LT(greatest, least);
  hipStream_t urgent = nullptr;
  ASSERT_EQ(hipStreamCreateWithPriority(&urgent, hipStreamDefault, greatest - 5), hipSuccess);
  int priority = 0;
  EXPECT_EQ(hipStreamGetPriority(urgent, &priority), hipSuccess);
  EXPECT_EQ(priority, greatest);
  EXPECT_EQ(hipStreamDestroy(urgent), hipSuccess);
}

TEST_F(HipStreams, ADestroyedStreamHasFinishedItsWorkAndIsNoHandleAnyMore) {
  Order order;
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  order.put_on(stream, 'x');
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(order.letters(), "x");
  EXPECT_EQ(hipStreamSynchronize(stream), hipErrorContextIsDestroyed);
  hipEvent_t event = nullptr;
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  EXPECT_EQ(hipStreamWaitEvent(stream, event, 0), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventDestroy(event), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(nullptr), hipErrorInvalidHandle);
}

TEST_F(HipStreams, EveryThreadHasItsOwnPerThreadStream) {
  Gate gate;
  gate.put_on(hipStreamPerThread);
  EXPECT_EQ(hipStreamQuery(hipStreamPerThread), hipErrorNotReady);
  hipError_t other = hipErrorUnknown;
  std::thread([&] { other = hipStreamQuery(hipStreamPerThread); }).join();
  EXPECT_EQ(other, hipSuccess);
  gate.open();
  EXPECT_EQ(hipStreamSynchronize(hipStreamPerThread), hipSuccess);
}

TEST_F(HipStreams, AStreamWaitsForAValueThatAnotherWrites) {
  std::uint32_t* value = nullptr;
  ASSERT_EQ(hipHostMalloc(reinterpret_cast<void**>(&value), 4, 0), hipSuccess);
  *value = 0;
  ASSERT_EQ(hipStreamWaitValue32(a, value, 7, hipStreamWaitValueGte, 0xffffffff), hipSuccess);
  EXPECT_EQ(hipStreamQuery(a), hipErrorNotReady);
  ASSERT_EQ(hipStreamWriteValue32(free, value, 7, 0), hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(a), hipSuccess);
  EXPECT_EQ(hipHostFree(value), hipSuccess);
}

TEST_F(HipStreams, AMaskWithoutACuLeavesTheStreamAll) {
  hipStream_t stream = nullptr;
  const std::uint32_t none[4] = {};
  ASSERT_EQ(hipExtStreamCreateWithCUMask(&stream, 4, none), hipSuccess);
  std::uint32_t mask[4] = {};
  EXPECT_EQ(hipExtStreamGetCUMask(stream, 4, mask), hipSuccess);
  EXPECT_EQ(mask[0], ~0u);
  EXPECT_EQ(mask[3], 0xffu) << "104 CUs";
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  const std::uint32_t some[2] = {0x5, 0};
  ASSERT_EQ(hipExtStreamCreateWithCUMask(&stream, 2, some), hipSuccess);
  EXPECT_EQ(hipExtStreamGetCUMask(stream, 4, mask), hipSuccess);
  EXPECT_EQ(mask[0], 0x5u);
  EXPECT_EQ(mask[3], 0u);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

TEST_F(HipStreams, MemoryIsNotAllocatedOnAStreamThatNeverWas) {
  int here = 0;
  const auto stream = reinterpret_cast<hipStream_t>(&here);
  void* memory = nullptr;
  EXPECT_EQ(hipMallocAsync(&memory, 64, stream), hipErrorInvalidHandle);
  hipMemPool_t pool = nullptr;
  ASSERT_EQ(hipDeviceGetDefaultMemPool(&pool, 0), hipSuccess);
  EXPECT_EQ(hipMallocFromPoolAsync(&memory, 64, pool, stream), hipErrorInvalidHandle);
  EXPECT_EQ(hipFreeAsync(&here, stream), hipErrorInvalidHandle);
}
