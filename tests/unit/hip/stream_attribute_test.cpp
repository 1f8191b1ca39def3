#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <cstdint>

namespace {

// hipLaunchAttributeID and hipSynchronizationPolicy of ROCm 7.
enum Attribute {
  kNone = 0,
  kAccessPolicyWindow = 1,
  kCooperative = 2,
  kSynchronizationPolicy = 3,
  kPriority = 8,
};
enum Policy { kAuto = 1, kSpin = 2, kYield = 3, kBlockingSync = 4 };

/// hipLaunchAttributeValue.
union Value {
  std::int32_t number;
  unsigned char bytes[64];
};

}  // namespace

extern "C" {
hipError_t hipStreamSetAttribute(hipStream_t stream, Attribute attribute, const Value* value);
hipError_t hipStreamGetAttribute(hipStream_t stream, Attribute attribute, Value* value);
hipError_t hipStreamCopyAttributes(hipStream_t target, hipStream_t source);
}

namespace {

class HipStreamAttributes : public ::testing::Test {
 protected:
  void SetUp() override {
    int least = 0;
    ASSERT_EQ(hipDeviceGetStreamPriorityRange(&least, &greatest), hipSuccess);
    ASSERT_EQ(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, greatest), hipSuccess);
  }
  void TearDown() override { EXPECT_EQ(hipStreamDestroy(stream), hipSuccess); }
  static hipError_t set(hipStream_t on, Attribute attribute, int number) {
    const Value value{.number = number};
    return hipStreamSetAttribute(on, attribute, &value);
  }
  static int get(hipStream_t of, Attribute attribute) {
    Value value{.number = -100};
    EXPECT_EQ(hipStreamGetAttribute(of, attribute, &value), hipSuccess);
    return value.number;
  }

  hipStream_t stream = nullptr;
  int greatest = 0;
};

}  // namespace

TEST_F(HipStreamAttributes, ASynchronizationPolicyIsAutomaticUntilItIsSet) {
  for (hipStream_t each : {stream, hipStream_t{nullptr}, hipStreamPerThread}) {
    EXPECT_EQ(get(each, kSynchronizationPolicy), kAuto);
    for (const int policy : {kSpin, kYield, kBlockingSync, kAuto}) {
      EXPECT_EQ(set(each, kSynchronizationPolicy, policy), hipSuccess);
      EXPECT_EQ(get(each, kSynchronizationPolicy), policy);
    }
    EXPECT_EQ(set(each, kSynchronizationPolicy, 0), hipErrorInvalidValue);
    EXPECT_EQ(set(each, kSynchronizationPolicy, 5), hipErrorInvalidValue);
  }
}

TEST_F(HipStreamAttributes, ThePriorityCanBeReadButNotSet) {
  EXPECT_EQ(get(stream, kPriority), greatest);
  EXPECT_EQ(get(nullptr, kPriority), 0);
  EXPECT_EQ(set(stream, kPriority, 0), hipErrorInvalidValue);
  EXPECT_EQ(get(stream, kPriority), greatest);
}

TEST_F(HipStreamAttributes, StreamsHaveNoOtherAttributes) {
  Value value{};
  for (const Attribute attribute : {kAccessPolicyWindow, kCooperative, kNone}) {
    EXPECT_EQ(hipStreamGetAttribute(stream, attribute, &value), hipErrorInvalidValue);
    EXPECT_EQ(hipStreamSetAttribute(stream, attribute, &value), hipErrorInvalidValue);
  }
  EXPECT_EQ(hipStreamGetAttribute(stream, kPriority, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipStreamSetAttribute(stream, kSynchronizationPolicy, nullptr), hipErrorInvalidValue);
}

TEST_F(HipStreamAttributes, ACopyTakesThePolicyAndLeavesThePriority) {
  ASSERT_EQ(set(stream, kSynchronizationPolicy, kYield), hipSuccess);
  hipStream_t other = nullptr;
  ASSERT_EQ(hipStreamCreate(&other), hipSuccess);
  EXPECT_EQ(hipStreamCopyAttributes(other, stream), hipSuccess);
  EXPECT_EQ(get(other, kSynchronizationPolicy), kYield);
  EXPECT_EQ(get(other, kPriority), 0);
  EXPECT_EQ(hipStreamDestroy(other), hipSuccess);
}

TEST_F(HipStreamAttributes, AHandleThatIsNoStreamIsAnError) {
  Value value{.number = kSpin};
  auto* const none = reinterpret_cast<hipStream_t>(&value);
  EXPECT_EQ(hipStreamSetAttribute(none, kSynchronizationPolicy, &value), hipErrorInvalidHandle);
  EXPECT_EQ(hipStreamGetAttribute(none, kPriority, &value), hipErrorInvalidHandle);
  EXPECT_EQ(hipStreamCopyAttributes(none, stream), hipErrorInvalidHandle);
  EXPECT_EQ(hipStreamCopyAttributes(stream, none), hipErrorInvalidHandle);
}

TEST_F(HipStreamAttributes, ACapturingStreamKeepsItsPolicy) {
  ASSERT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed), hipSuccess);
  EXPECT_EQ(set(stream, kSynchronizationPolicy, kSpin), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(get(stream, kSynchronizationPolicy), kAuto);
  hipGraph_t graph = nullptr;
  ASSERT_EQ(hipStreamEndCapture(stream, &graph), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}
