// HIP arrays: which there are, and textures that read them in another format.
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace {

/// An MI210: arrays of up to 16384 x 16384 x 8192 elements.
class HipArrays : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WAVETANK_DEVICE", "mi210,mi300x", 1); }

  static hipError_t make(const hipExtent& extent, const hipChannelFormatDesc& format,
                         unsigned flags = hipArrayDefault) {
    hipArray_t array = nullptr;
    const hipError_t status = hipMalloc3DArray(&array, &format, extent, flags);
    if (status == hipSuccess) EXPECT_EQ(hipFreeArray(array), hipSuccess);
    return status;
  }
  static hipError_t make_driver(hipArray_Format format, unsigned channels, unsigned flags = 0) {
    HIP_ARRAY3D_DESCRIPTOR wanted{};
    wanted.Width = wanted.Height = wanted.Depth = 6;
    wanted.Format = format;
    wanted.NumChannels = channels;
    wanted.Flags = flags;
    hipArray* array = nullptr;
    const hipError_t status = hipArray3DCreate(&array, &wanted);
    if (status == hipSuccess) EXPECT_EQ(hipArrayDestroy(array), hipSuccess);
    return status;
  }
  static hipChannelFormatDesc bits(int x, int y, int z, int w, hipChannelFormatKind kind) {
    return {x, y, z, w, kind};
  }

  const hipChannelFormatDesc byte = bits(8, 0, 0, 0, hipChannelFormatKindUnsigned);
};

}  // namespace

TEST_F(HipArrays, AreAsLargeAsImagesAndNoLarger) {
  EXPECT_EQ(make({16384, 0, 0}, byte), hipSuccess);
  EXPECT_EQ(make({16384, 64, 0}, byte), hipSuccess);
  EXPECT_EQ(make({64, 16384, 0}, byte), hipSuccess);
  EXPECT_EQ(make({64, 64, 8192}, byte), hipSuccess);
  EXPECT_EQ(make({16385, 0, 0}, byte), hipErrorInvalidValue);
  EXPECT_EQ(make({16385, 64, 0}, byte), hipErrorInvalidValue);
  EXPECT_EQ(make({64, 16385, 0}, byte), hipErrorInvalidValue);
  EXPECT_EQ(make({64, 64, 8193}, byte), hipErrorInvalidValue);
  EXPECT_EQ(make({SIZE_MAX, SIZE_MAX, SIZE_MAX}, byte), hipErrorInvalidValue);
}

TEST_F(HipArrays, HaveRowsIfTheyHaveSlicesUnlessTheseAreLayers) {
  EXPECT_EQ(make({0, 6, 6}, byte), hipErrorInvalidValue);
  EXPECT_EQ(make({6, 0, 6}, byte), hipErrorInvalidValue);
  EXPECT_EQ(make({6, 0, 6}, byte, hipArrayLayered), hipSuccess);
}

TEST_F(HipArrays, HaveNoCubesAndGathersFromTwoDimensionsOnly) {
  EXPECT_EQ(make({6, 6, 6}, byte, 0xdeadbeef), hipErrorInvalidValue);
  EXPECT_EQ(make({6, 6, 6}, byte, hipArrayCubemap), hipErrorInvalidValue);
  EXPECT_EQ(make({6, 6, 6}, byte, hipArraySurfaceLoadStore | hipArrayLayered), hipSuccess);
  EXPECT_EQ(make({6, 6, 0}, byte, hipArrayTextureGather), hipSuccess);
  EXPECT_EQ(make({6, 6, 6}, byte, hipArrayTextureGather), hipErrorInvalidValue);
  EXPECT_EQ(make({6, 0, 0}, byte, hipArrayTextureGather), hipErrorInvalidValue);
}

TEST_F(HipArrays, HaveOneTwoOrFourComponentsOfOneSizeWithoutGaps) {
  constexpr auto kUnsigned = hipChannelFormatKindUnsigned, kFloat = hipChannelFormatKindFloat;
  const hipExtent box = {6, 6, 6};
  for (const int size : {8, 16, 32}) {
    EXPECT_EQ(make(box, bits(size, size, 0, 0, kUnsigned)), hipSuccess);
    EXPECT_EQ(make(box, bits(size, size, size, size, kUnsigned)), hipSuccess);
    EXPECT_EQ(make(box, bits(size, size, size, 0, kUnsigned)), hipErrorInvalidValue);
    EXPECT_EQ(make(box, bits(0, size, size, 0, kUnsigned)), hipErrorInvalidValue);
    EXPECT_EQ(make(box, bits(size, 0, size, 0, kUnsigned)), hipErrorInvalidValue);
    EXPECT_EQ(make(box, bits(0, 0, size, size, kUnsigned)), hipErrorInvalidValue);
  }
  EXPECT_EQ(make(box, bits(32, 16, 0, 0, kUnsigned)), hipErrorInvalidValue);
  EXPECT_EQ(make(box, bits(8, 0, 0, 0, kFloat)), hipErrorInvalidValue);
  for (const int size : {-1, 0, 10, 100}) {
    EXPECT_EQ(make(box, bits(size, size, size, size, kUnsigned)), hipErrorInvalidValue) << size;
  }
  EXPECT_EQ(make(box, bits(32, 0, 0, 0, hipChannelFormatKindNone)), hipErrorInvalidValue);
  EXPECT_EQ(make(box, bits(32, 0, 0, 0, static_cast<hipChannelFormatKind>(0xbeef))),
            hipErrorInvalidValue);
}

TEST_F(HipArrays, OfTheDriverApiFollowTheSameRules) {
  EXPECT_EQ(make_driver(HIP_AD_FORMAT_HALF, 4), hipSuccess);
  EXPECT_EQ(make_driver(static_cast<hipArray_Format>(0xdeadbeef), 1), hipErrorInvalidValue);
  for (const unsigned channels : {0u, 3u, 5u}) {
    EXPECT_EQ(make_driver(HIP_AD_FORMAT_FLOAT, channels), hipErrorInvalidValue) << channels;
  }
  EXPECT_EQ(make_driver(HIP_AD_FORMAT_FLOAT, 1, 0xdeadbeef), hipErrorInvalidValue);
}

TEST_F(HipArrays, AreReadInTheFormatOfAViewThatHasTheirSize) {
  const hipChannelFormatDesc format = bits(32, 0, 0, 0, hipChannelFormatKindFloat);
  hipArray_t array = nullptr;
  ASSERT_EQ(hipMallocArray(&array, &format, 16, 16, hipArrayDefault), hipSuccess);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  const hipTextureDesc plain{};
  hipTextureObject_t texture = nullptr;
  hipResourceViewDesc view{};
  for (const auto& [wanted, expected] :
       {std::pair(hipResViewFormatNone, hipSuccess), std::pair(hipResViewFormatFloat1, hipSuccess),
        std::pair(hipResViewFormatUnsignedChar4, hipSuccess),
        std::pair(hipResViewFormatSignedShort2, hipSuccess),
        std::pair(hipResViewFormatFloat2, hipErrorInvalidValue),
        std::pair(hipResViewFormatUnsignedBlockCompressed1, hipErrorInvalidValue)}) {
    view.format = wanted;
    view.width = view.height = 16;
    ASSERT_EQ(hipCreateTextureObject(&texture, &resource, &plain, &view), expected) << wanted;
    if (expected != hipSuccess) continue;
    hipResourceViewDesc read{};
    EXPECT_EQ(hipGetTextureObjectResourceViewDesc(&read, texture), hipSuccess);
    EXPECT_EQ(read.format, wanted);
    EXPECT_EQ(read.width, 16u);
    EXPECT_EQ(hipDestroyTextureObject(texture), hipSuccess);
  }
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
}

TEST_F(HipArrays, OfFourBytesCanBeSrgbWhereLinearMemoryCannot) {
  const hipChannelFormatDesc format = bits(8, 8, 8, 8, hipChannelFormatKindUnsigned);
  hipArray_t array = nullptr;
  ASSERT_EQ(hipMallocArray(&array, &format, 16, 0, hipArrayDefault), hipSuccess);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  hipTextureDesc description{};
  description.sRGB = 1;
  hipTextureObject_t texture = nullptr;
  EXPECT_EQ(hipCreateTextureObject(&texture, &resource, &description, nullptr),
            hipErrorInvalidValue)
      << "integers are not sRGB";
  description.readMode = hipReadModeNormalizedFloat;
  ASSERT_EQ(hipCreateTextureObject(&texture, &resource, &description, nullptr), hipSuccess);
  EXPECT_EQ(hipDestroyTextureObject(texture), hipSuccess);
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
  void* memory = nullptr;
  ASSERT_EQ(hipMalloc(&memory, 64), hipSuccess);
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {memory, format, 64};
  EXPECT_EQ(hipCreateTextureObject(&texture, &resource, &description, nullptr),
            hipErrorInvalidValue);
  description.sRGB = 0;
  ASSERT_EQ(hipCreateTextureObject(&texture, &resource, &description, nullptr), hipSuccess);
  EXPECT_EQ(hipDestroyTextureObject(texture), hipSuccess);
  EXPECT_EQ(hipFree(memory), hipSuccess);
}

TEST_F(HipArrays, WithMipmapsAreRefusedAfterTheirArgumentsAreChecked) {
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  const hipExtent extent = make_hipExtent(8, 8, 0);
  HIP_ARRAY3D_DESCRIPTOR description{};
  hipMipmappedArray_t mipmaps = nullptr;
  hipArray_t level = nullptr;
  EXPECT_EQ(hipMallocMipmappedArray(nullptr, &format, extent, 1, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGetLastError(), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocMipmappedArray(&mipmaps, nullptr, extent, 1, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMallocMipmappedArray(&mipmaps, &format, extent, 1, 0), hipErrorNotSupported);
  EXPECT_EQ(hipMipmappedArrayCreate(nullptr, &description, 1), hipErrorNotSupported);
  EXPECT_EQ(hipFreeMipmappedArray(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipMipmappedArrayDestroy(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipGetMipmappedArrayLevel(nullptr, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGetMipmappedArrayLevel(&level, nullptr, 0), hipErrorInvalidHandle);
  EXPECT_EQ(hipMipmappedArrayGetLevel(&level, nullptr, 0), hipErrorInvalidHandle);
}
