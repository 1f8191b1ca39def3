// Which copies and fills the host waits for: a gate holds the null stream back, and opens while the
// call waits, or not before the call has returned.
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "unit/hip/gate.hpp"

// Newer than the headers that the tests are compiled with.
extern "C" hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute,
                                             void* pointer);

namespace {

using wavetank::tests::Gate;
using Call = std::function<hipError_t()>;

constexpr std::size_t kBytes = 4096;
constexpr std::size_t kRowBytes = 64, kRows = 64;

/// True if the null stream's work is done when the call returns.
bool waits(const Call& call) {
  Gate gate;
  gate.put_on(nullptr);
  std::jthread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.open();
  });
  EXPECT_EQ(call(), hipSuccess);
  const hipError_t state = hipStreamQuery(nullptr);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  return state == hipSuccess;
}

/// True if the call returns while the null stream cannot go on.
bool returns_at_once(const Call& call) {
  Gate gate;
  gate.put_on(nullptr);
  EXPECT_EQ(call(), hipSuccess);
  const hipError_t state = hipStreamQuery(nullptr);
  gate.open();
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  return state == hipErrorNotReady;
}

class HipBlocking : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipMalloc(&device, kBytes), hipSuccess);
    ASSERT_EQ(hipMalloc(&other, kBytes), hipSuccess);
    ASSERT_EQ(hipHostMalloc(&pinned, kBytes, 0), hipSuccess);
    ASSERT_EQ(hipHostMalloc(&other_pinned, kBytes, 0), hipSuccess);
    pageable.resize(kBytes);
  }
  void TearDown() override {
    for (void* memory : {device, other}) EXPECT_EQ(hipFree(memory), hipSuccess);
    for (void* memory : {pinned, other_pinned}) EXPECT_EQ(hipHostFree(memory), hipSuccess);
  }
  hipError_t copy(void* to, const void* from) {
    return hipMemcpy(to, from, kBytes, hipMemcpyDefault);
  }

  void* device = nullptr;
  void* other = nullptr;
  void* pinned = nullptr;
  void* other_pinned = nullptr;
  std::vector<char> pageable;
};

}  // namespace

TEST_F(HipBlocking, ACopyInsideOfTheDeviceReturnsAtOnce) {
  EXPECT_TRUE(returns_at_once([&] { return copy(device, other); }));
  EXPECT_TRUE(returns_at_once([&] { return hipMemcpyDtoD(device, other, kBytes); }));
  EXPECT_TRUE(returns_at_once([&] {
    hipMemcpy3DParms box{};
    box.dstPtr = {device, kRowBytes, kRowBytes, kRows};
    box.srcPtr = {other, kRowBytes, kRowBytes, kRows};
    box.extent = {kRowBytes, kRows, 1};
    box.kind = hipMemcpyDeviceToDevice;
    return hipMemcpy3D(&box);
  }));
  EXPECT_TRUE(returns_at_once([&] {
    hip_Memcpy2D plane{};
    plane.dstMemoryType = plane.srcMemoryType = hipMemoryTypeDevice;
    plane.dstDevice = device;
    plane.srcDevice = other;
    plane.dstPitch = plane.srcPitch = plane.WidthInBytes = kRowBytes;
    plane.Height = kRows;
    return hipMemcpyParam2D(&plane);
  }));
  EXPECT_TRUE(returns_at_once([&] { return hipMemcpyPeer(device, 0, other, 0, kBytes); }));
}

TEST_F(HipBlocking, ACopyOfRowsReturnsAtOnceIfTheCallSaysThatItIsInsideOfTheDevice) {
  const auto copy_rows = [&](hipMemcpyKind kind) {
    return hipMemcpy2D(device, kRowBytes, other, kRowBytes, kRowBytes, kRows, kind);
  };
  EXPECT_TRUE(returns_at_once([&] { return copy_rows(hipMemcpyDeviceToDevice); }));
  EXPECT_TRUE(waits([&] { return copy_rows(hipMemcpyDefault); }));
}

TEST_F(HipBlocking, TheDriversCopyOfABoxReturnsAtOnceIfBothTypesAreTheDevices) {
  const auto copy_box = [&](hipMemoryType source_type) {
    HIP_MEMCPY3D box{};
    box.dstMemoryType = hipMemoryTypeDevice;
    box.srcMemoryType = source_type;
    box.dstDevice = device;
    box.srcDevice = other;
    box.dstPitch = box.srcPitch = box.WidthInBytes = kRowBytes;
    box.dstHeight = box.srcHeight = box.Height = kRows;
    box.Depth = 1;
    return hipDrvMemcpy3D(&box);
  };
  EXPECT_TRUE(returns_at_once([&] { return copy_box(hipMemoryTypeDevice); }));
  EXPECT_TRUE(waits([&] { return copy_box(hipMemoryTypeUnified); }));
}

TEST_F(HipBlocking, ACopyOfAnArrayWaits) {
  const hipChannelFormatDesc format =
      hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
  hipArray_t array;
  ASSERT_EQ(hipMallocArray(&array, &format, kRowBytes, kRows, 0), hipSuccess);
  EXPECT_TRUE(waits([&] {
    return hipMemcpy2DToArray(array, 0, 0, device, kRowBytes, kRowBytes, kRows,
                              hipMemcpyDeviceToDevice);
  }));
  EXPECT_TRUE(waits([&] {
    hipMemcpy3DParms box{};
    box.dstArray = array;
    box.srcPtr = {device, kRowBytes, kRowBytes, kRows};
    box.extent = {kRowBytes, kRows, 1};
    box.kind = hipMemcpyDeviceToDevice;
    return hipMemcpy3D(&box);
  }));
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
}

TEST_F(HipBlocking, ACopyFromOrToTheHostWaits) {
  EXPECT_TRUE(waits([&] { return copy(device, pinned); }));
  EXPECT_TRUE(waits([&] { return copy(pinned, device); }));
  EXPECT_TRUE(waits([&] { return copy(pageable.data(), device); }));
  EXPECT_TRUE(waits([&] { return copy(device, pageable.data()); }));
}

TEST_F(HipBlocking, AFillOfTheDevicesMemoryReturnsAtOnceAndOneOfTheHostsWaits) {
  EXPECT_TRUE(returns_at_once([&] { return hipMemset(device, 1, kBytes); }));
  EXPECT_TRUE(returns_at_once([&] { return hipMemsetD8(device, 1, kBytes); }));
  EXPECT_TRUE(returns_at_once([&] { return hipMemsetD16(device, 1, kBytes / 2); }));
  EXPECT_TRUE(returns_at_once([&] { return hipMemsetD32(device, 1, kBytes / 4); }));
  EXPECT_TRUE(returns_at_once([&] { return hipMemset2D(device, kRowBytes, 1, kRowBytes, kRows); }));
  EXPECT_TRUE(waits([&] { return hipMemset(pinned, 1, kBytes); }));
  // Inside of an allocation, as AMD's runtime does.
  EXPECT_TRUE(waits([&] { return hipMemset(static_cast<char*>(device) + 64, 1, 64); }));
}

TEST_F(HipBlocking, SyncMemopsMakeCopiesAndFillsWait) {
  const unsigned wanted = 1;
  for (void* memory : {device, other}) {
    ASSERT_EQ(hipPointerSetAttribute(&wanted, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory),
              hipSuccess);
  }
  EXPECT_TRUE(waits([&] { return copy(device, other); }));
  EXPECT_TRUE(waits([&] { return hipMemset(device, 1, kBytes); }));
}

TEST_F(HipBlocking, AnAsynchronousCopyBetweenPinnedMemoriesWaitsOnTheNullStreamOnly) {
  const auto copy_on = [&](hipStream_t stream) {
    return hipMemcpyAsync(pinned, other_pinned, kBytes, hipMemcpyHostToHost, stream);
  };
  EXPECT_TRUE(waits([&] { return copy_on(nullptr); }));
  hipStream_t stream;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  EXPECT_TRUE(returns_at_once([&] { return copy_on(stream); }));
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

TEST_F(HipBlocking, ACopyThatReturnedAtOnceIsDoneInItsTurn) {
  std::memset(pinned, 7, kBytes);
  ASSERT_EQ(copy(other, pinned), hipSuccess);
  Gate gate;
  gate.put_on(nullptr);
  ASSERT_EQ(hipMemset(device, 1, kBytes), hipSuccess);
  ASSERT_EQ(copy(device, other), hipSuccess);
  gate.open();
  ASSERT_EQ(copy(pageable.data(), device), hipSuccess);
  EXPECT_EQ(pageable, std::vector<char>(kBytes, 7));
}
