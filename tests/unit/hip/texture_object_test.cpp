#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <cstdlib>

// Since ROCm 7.
extern "C" hipError_t hipDeviceGetTexture1DLinearMaxWidth(std::size_t* elements,
                                                          const hipChannelFormatDesc* format,
                                                          int device);

namespace {

/// An MI210, which has images, and an MI300X, which has none.
class HipTextureObjects : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WAVETANK_DEVICE", "mi210,mi300x", 1); }
  void SetUp() override { ASSERT_EQ(hipMalloc(&memory, 65536), hipSuccess); }
  void TearDown() override {
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
    EXPECT_EQ(hipFree(memory), hipSuccess);
  }
  HIP_RESOURCE_DESC linear() const {
    HIP_RESOURCE_DESC resource{};
    resource.resType = HIP_RESOURCE_TYPE_LINEAR;
    resource.res.linear = {memory, HIP_AD_FORMAT_SIGNED_INT16, 2, 4096};
    return resource;
  }
  HIP_RESOURCE_DESC pitched() const {
    HIP_RESOURCE_DESC resource{};
    resource.resType = HIP_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D = {memory, HIP_AD_FORMAT_HALF, 4, 100, 30, 1024};
    return resource;
  }

  void* memory = nullptr;
  hipTextureObject_t texture = nullptr;
  HIP_TEXTURE_DESC plain{};
};

}  // namespace

TEST_F(HipTextureObjects, WhatAnObjectWasMadeFromCanBeReadBack) {
  HIP_TEXTURE_DESC wanted{};
  wanted.addressMode[0] = wanted.addressMode[1] = HIP_TR_ADDRESS_MODE_MIRROR;
  wanted.filterMode = HIP_TR_FILTER_MODE_LINEAR;
  wanted.flags = HIP_TRSF_NORMALIZED_COORDINATES;
  wanted.borderColor[3] = 0.5f;
  const HIP_RESOURCE_DESC resource = pitched();
  ASSERT_EQ(hipTexObjectCreate(&texture, &resource, &wanted, nullptr), hipSuccess);
  HIP_RESOURCE_DESC read;
  ASSERT_EQ(hipTexObjectGetResourceDesc(&read, texture), hipSuccess);
  EXPECT_EQ(read.resType, HIP_RESOURCE_TYPE_PITCH2D);
  EXPECT_EQ(read.res.pitch2D.devPtr, memory);
  EXPECT_EQ(read.res.pitch2D.format, HIP_AD_FORMAT_HALF);
  EXPECT_EQ(read.res.pitch2D.numChannels, 4u);
  EXPECT_EQ(read.res.pitch2D.width, 100u);
  EXPECT_EQ(read.res.pitch2D.height, 30u);
  EXPECT_EQ(read.res.pitch2D.pitchInBytes, 1024u);
  HIP_TEXTURE_DESC description;
  ASSERT_EQ(hipTexObjectGetTextureDesc(&description, texture), hipSuccess);
  EXPECT_EQ(description.addressMode[1], HIP_TR_ADDRESS_MODE_MIRROR);
  EXPECT_EQ(description.filterMode, HIP_TR_FILTER_MODE_LINEAR);
  EXPECT_EQ(description.flags, static_cast<unsigned>(HIP_TRSF_NORMALIZED_COORDINATES));
  EXPECT_EQ(description.borderColor[3], 0.5f);
  HIP_RESOURCE_VIEW_DESC view;
  ASSERT_EQ(hipTexObjectGetResourceViewDesc(&view, texture), hipSuccess);
  EXPECT_EQ(view.format, HIP_RES_VIEW_FORMAT_NONE);
  EXPECT_EQ(hipTexObjectDestroy(texture), hipSuccess);
}

TEST_F(HipTextureObjects, BothFormsOfTheApiDescribeTheSameObject) {
  const HIP_RESOURCE_DESC resource = linear();
  plain.flags = HIP_TRSF_READ_AS_INTEGER | HIP_TRSF_SRGB;
  ASSERT_EQ(hipTexObjectCreate(&texture, &resource, &plain, nullptr), hipSuccess);
  hipResourceDesc read;
  ASSERT_EQ(hipGetTextureObjectResourceDesc(&read, texture), hipSuccess);
  EXPECT_EQ(read.resType, hipResourceTypeLinear);
  EXPECT_EQ(read.res.linear.desc.x, 16);
  EXPECT_EQ(read.res.linear.desc.y, 16);
  EXPECT_EQ(read.res.linear.desc.z, 0);
  EXPECT_EQ(read.res.linear.desc.f, hipChannelFormatKindSigned);
  EXPECT_EQ(read.res.linear.sizeInBytes, 4096u);
  hipTextureDesc description;
  ASSERT_EQ(hipGetTextureObjectTextureDesc(&description, texture), hipSuccess);
  EXPECT_EQ(description.readMode, hipReadModeElementType);
  EXPECT_EQ(description.sRGB, 1);
  EXPECT_EQ(description.normalizedCoords, 0);
  EXPECT_EQ(hipDestroyTextureObject(texture), hipSuccess);
}

TEST_F(HipTextureObjects, ObjectsThatCannotBeAreRefused) {
  HIP_RESOURCE_DESC resource = linear();
  EXPECT_EQ(hipTexObjectCreate(nullptr, &resource, &plain, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipTexObjectCreate(&texture, nullptr, &plain, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipTexObjectCreate(&texture, &resource, nullptr, nullptr), hipErrorInvalidValue);
  const HIP_RESOURCE_VIEW_DESC view{};
  EXPECT_EQ(hipTexObjectCreate(&texture, &resource, &plain, &view), hipErrorInvalidValue);
  resource.res.linear.format = static_cast<hipArray_Format>(0x7f);
  EXPECT_EQ(hipTexObjectCreate(&texture, &resource, &plain, nullptr), hipErrorInvalidValue);
  resource.resType = static_cast<HIPresourcetype>(4);
  EXPECT_EQ(hipTexObjectCreate(&texture, &resource, &plain, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipTexObjectGetTextureDesc(&plain, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipTexObjectGetResourceDesc(&resource, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipTexObjectDestroy(nullptr), hipSuccess);
}

TEST_F(HipTextureObjects, ADeviceWithoutImagesSupportsNoneOfIt) {
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  HIP_RESOURCE_DESC resource = linear();
  EXPECT_EQ(hipTexObjectCreate(&texture, &resource, &plain, nullptr), hipErrorNotSupported);
  EXPECT_EQ(hipTexObjectGetResourceDesc(&resource, texture), hipErrorNotSupported);
  EXPECT_EQ(hipTexObjectGetTextureDesc(&plain, texture), hipErrorNotSupported);
  EXPECT_EQ(hipTexObjectDestroy(texture), hipErrorNotSupported);
}

TEST_F(HipTextureObjects, TheLongestBufferCountsElementsOfItsFormat) {
  std::size_t elements = 1;
  const auto most = [&](int x, int y, int device) {
    const hipChannelFormatDesc format{x, y, 0, 0, hipChannelFormatKindUnsigned};
    return hipDeviceGetTexture1DLinearMaxWidth(&elements, &format, device);
  };
  EXPECT_EQ(most(8, 0, 0), hipSuccess);
  EXPECT_EQ(elements, 0x7fffffffu);
  EXPECT_EQ(most(32, 32, 0), hipSuccess);
  EXPECT_EQ(elements, 0x7fffffffu / 8);
  EXPECT_EQ(most(32, 0, 1), hipSuccess);
  EXPECT_EQ(elements, 0u) << "no images";
  EXPECT_EQ(most(7, 0, 0), hipErrorInvalidValue);
  EXPECT_EQ(most(32, 0, 2), hipErrorInvalidDevice);
  EXPECT_EQ(hipDeviceGetTexture1DLinearMaxWidth(&elements, nullptr, 0), hipErrorInvalidValue);
}
