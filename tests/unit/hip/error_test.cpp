#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <thread>

TEST(HipErrors, NameAndSentenceAreThoseOfHip) {
  EXPECT_STREQ(hipGetErrorName(hipErrorInvalidConfiguration), "hipErrorInvalidConfiguration");
  EXPECT_STREQ(hipGetErrorString(hipErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(hipGetErrorString(hipSuccess), "no error");
  EXPECT_STREQ(hipGetErrorName(static_cast<hipError_t>(12345)), "hipErrorUnknown");
}

extern "C" hipError_t hipDrvGetErrorName(hipError_t, const char**);
extern "C" hipError_t hipDrvGetErrorString(hipError_t, const char**);

TEST(HipErrors, TheDriversNamesAreOfStatusesOnly) {
  const char* text = nullptr;
  EXPECT_EQ(hipDrvGetErrorName(hipErrorNotFound, &text), hipSuccess);
  EXPECT_STREQ(text, "hipErrorNotFound");
  EXPECT_EQ(hipDrvGetErrorName(hipErrorUnknown, &text), hipSuccess);
  EXPECT_EQ(hipDrvGetErrorName(static_cast<hipError_t>(-1), &text), hipErrorInvalidValue);
  EXPECT_EQ(hipDrvGetErrorString(hipErrorUnknown, &text), hipSuccess);
  EXPECT_STREQ(text, "unknown error");
  EXPECT_EQ(hipDrvGetErrorString(static_cast<hipError_t>(-1), &text), hipErrorInvalidValue);
}

TEST(HipErrors, TheLastErrorIsTheLastCallsAndReadingItClearsIt) {
  EXPECT_EQ(hipMalloc(nullptr, 4), hipErrorInvalidValue);
  EXPECT_EQ(hipPeekAtLastError(), hipErrorInvalidValue);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidValue);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST(HipErrors, InRocm5ALaterSuccessReplacesAnError) {
  int count = 0;
  EXPECT_EQ(hipMalloc(nullptr, 4), hipErrorInvalidValue);
  EXPECT_EQ(hipGetDeviceCount(&count), hipSuccess);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
}

TEST(HipErrors, EveryThreadHasItsOwnLastError) {
  EXPECT_EQ(hipMalloc(nullptr, 4), hipErrorInvalidValue);
  hipError_t other = hipErrorUnknown;
  std::thread([&] { other = hipGetLastError(); }).join();
  EXPECT_EQ(other, hipSuccess);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidValue);
}
