#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <chrono>
#include <thread>

namespace {

class HipEvents : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipEventCreate(&start), hipSuccess);
    ASSERT_EQ(hipEventCreate(&stop), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipEventDestroy(start), hipSuccess);
    EXPECT_EQ(hipEventDestroy(stop), hipSuccess);
  }
  hipEvent_t start = nullptr;
  hipEvent_t stop = nullptr;
};

void sleep_20_ms(void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

}  // namespace

TEST_F(HipEvents, TheTimeBetweenTwoEventsCoversTheWorkBetweenThem) {
  ASSERT_EQ(hipEventRecord(start, nullptr), hipSuccess);
  ASSERT_EQ(hipLaunchHostFunc(nullptr, sleep_20_ms, nullptr), hipSuccess);
  ASSERT_EQ(hipEventRecord(stop, nullptr), hipSuccess);
  EXPECT_EQ(hipEventQuery(stop), hipErrorNotReady);
  float milliseconds = 0;
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, start, stop), hipErrorNotReady);
  EXPECT_EQ(hipEventSynchronize(stop), hipSuccess);
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, start, stop), hipSuccess);
  EXPECT_GE(milliseconds, 20.0f);
  EXPECT_LT(milliseconds, 2000.0f);
}

TEST_F(HipEvents, AnEventThatWasNeverRecordedIsReadyAndHasNoTime) {
  EXPECT_EQ(hipEventQuery(start), hipSuccess);
  EXPECT_EQ(hipEventSynchronize(start), hipSuccess);
  float milliseconds = 0;
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, start, stop), hipErrorInvalidHandle);
}

TEST_F(HipEvents, AnEventWithoutTimingHasNoTime) {
  hipEvent_t untimed = nullptr;
  ASSERT_EQ(hipEventCreateWithFlags(&untimed, hipEventDisableTiming), hipSuccess);
  ASSERT_EQ(hipEventRecord(untimed, nullptr), hipSuccess);
  ASSERT_EQ(hipEventRecord(stop, nullptr), hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  float milliseconds = 0;
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, untimed, stop), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventDestroy(untimed), hipSuccess);
}

TEST_F(HipEvents, WrongHandlesAndFlagsAreErrors) {
  hipEvent_t event = nullptr;
  EXPECT_EQ(hipEventCreateWithFlags(&event, 0x100), hipErrorInvalidValue);
  EXPECT_EQ(hipEventRecord(nullptr, nullptr), hipErrorInvalidHandle);
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  ASSERT_EQ(hipEventDestroy(event), hipSuccess);
  EXPECT_EQ(hipEventSynchronize(event), hipErrorContextIsDestroyed);
}
