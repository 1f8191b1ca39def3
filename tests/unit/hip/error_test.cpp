#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <string>
#include <thread>

#include "hip/api/stub.hpp"

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

TEST(HipErrors, ARefusedFunctionSaysWhy) {
  using wavetank::hip::refusal_reason;
  EXPECT_TRUE(refusal_reason("hipTexRefSetMipmappedArray").starts_with("mipmaps: "));
  EXPECT_TRUE(refusal_reason("hipMallocMipmappedArray").starts_with("mipmaps: "))
      << "a function that checks its arguments first";
  EXPECT_EQ(refusal_reason("hipMalloc"), "");
  wavetank::hip::StubState state;
  testing::internal::CaptureStderr();
  EXPECT_EQ(wavetank::hip::not_supported("hipGLGetDevices", state), hipErrorNotSupported);
  EXPECT_EQ(wavetank::hip::not_supported("hipGLGetDevices", state), hipErrorNotSupported);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "wavetank: hipGLGetDevices is not supported (graphics: a virtual device has no OpenGL and no "
      "Vulkan context to share memory with); it returns hipErrorNotSupported\n")
      << "once";
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
