// Texture references without kernels; tests/programs/textures.hip reads through them.
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <cstdlib>

namespace {

class HipTextureReferences : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WAVETANK_DEVICE", "mi210,mi300x", 1); }
  void TearDown() override { EXPECT_EQ(hipSetDevice(0), hipSuccess); }

  textureReference reference{};
};

}  // namespace

TEST_F(HipTextureReferences, KeepTheirSettings) {
  EXPECT_EQ(hipTexRefSetFormat(&reference, HIP_AD_FORMAT_HALF, 2), hipSuccess);
  EXPECT_EQ(hipTexRefSetFlags(&reference, HIP_TRSF_READ_AS_INTEGER | HIP_TRSF_SRGB), hipSuccess);
  EXPECT_EQ(hipTexRefSetFilterMode(&reference, hipFilterModeLinear), hipSuccess);
  EXPECT_EQ(hipTexRefSetAddressMode(&reference, 2, hipAddressModeMirror), hipSuccess);
  EXPECT_EQ(hipTexRefSetMaxAnisotropy(&reference, 4), hipSuccess);
  EXPECT_EQ(hipTexRefSetMipmapLevelClamp(&reference, 1.0f, 2.0f), hipSuccess);
  hipArray_Format format{};
  int channels = 0;
  EXPECT_EQ(hipTexRefGetFormat(&format, &channels, &reference), hipSuccess);
  EXPECT_EQ(format, HIP_AD_FORMAT_HALF);
  EXPECT_EQ(channels, 2);
  unsigned flags = 0;
  EXPECT_EQ(hipTexRefGetFlags(&flags, &reference), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(HIP_TRSF_READ_AS_INTEGER | HIP_TRSF_SRGB));
  hipTextureFilterMode filter{};
  EXPECT_EQ(hipTexRefGetFilterMode(&filter, &reference), hipSuccess);
  EXPECT_EQ(filter, hipFilterModeLinear);
  hipTextureAddressMode mode{};
  EXPECT_EQ(hipTexRefGetAddressMode(&mode, &reference, 2), hipSuccess);
  EXPECT_EQ(mode, hipAddressModeMirror);
  int samples = 0;
  EXPECT_EQ(hipTexRefGetMaxAnisotropy(&samples, &reference), hipSuccess);
  EXPECT_EQ(samples, 4);
  float least = 0;
  float most = 0;
  EXPECT_EQ(hipTexRefGetMipmapLevelClamp(&least, &most, &reference), hipSuccess);
  EXPECT_EQ(least, 1.0f);
  EXPECT_EQ(most, 2.0f);
}

TEST_F(HipTextureReferences, HaveThreeDimensionsAndAPlace) {
  hipTextureAddressMode mode{};
  EXPECT_EQ(hipTexRefSetAddressMode(&reference, 3, hipAddressModeWrap), hipErrorInvalidValue);
  EXPECT_EQ(hipTexRefGetAddressMode(&mode, &reference, -1), hipErrorInvalidValue);
  EXPECT_EQ(hipTexRefSetFlags(nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipTexRefGetFilterMode(nullptr, &reference), hipErrorInvalidValue);
}

TEST_F(HipTextureReferences, AreBoundOnlyIfThereIsOneOnTheDevice) {
  void* memory = nullptr;
  ASSERT_EQ(hipMalloc(&memory, 256), hipSuccess);
  const hipChannelFormatDesc format{32, 0, 0, 0, hipChannelFormatKindFloat};
  std::size_t offset = 0;
  EXPECT_EQ(hipBindTexture(&offset, &reference, memory, &format, 256), hipErrorInvalidSymbol);
  EXPECT_EQ(hipBindTexture(&offset, &reference, memory, nullptr, 256), hipErrorInvalidValue);
  EXPECT_EQ(hipTexRefSetAddress(&offset, &reference, memory, 256), hipErrorNotFound);
  hipDeviceptr_t address = nullptr;
  EXPECT_EQ(hipTexRefGetAddress(&address, &reference), hipErrorInvalidValue) << "nothing is bound";
  EXPECT_EQ(hipUnbindTexture(&reference), hipSuccess);
  EXPECT_EQ(hipUnbindTexture(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(memory), hipSuccess);
}

TEST_F(HipTextureReferences, OfAModuleNeedAModuleAndAName) {
  textureReference* found = nullptr;
  EXPECT_EQ(hipModuleGetTexRef(&found, nullptr, "name"), hipErrorInvalidResourceHandle);
  EXPECT_EQ(hipModuleGetTexRef(&found, nullptr, ""), hipErrorInvalidValue);
  EXPECT_EQ(hipModuleGetTexRef(nullptr, nullptr, "name"), hipErrorInvalidValue);
}

TEST_F(HipTextureReferences, AreNotSupportedWithoutImages) {
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  unsigned flags = 0;
  EXPECT_EQ(hipTexRefSetFlags(&reference, 0), hipErrorNotSupported);
  EXPECT_EQ(hipTexRefGetFlags(&flags, &reference), hipErrorNotSupported);
  EXPECT_EQ(hipUnbindTexture(&reference), hipErrorNotSupported);
}
