// Our own declarations of the ABI against the headers of ROCm 5.
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include "hip/abi/device_attribute.hpp"
#include "hip/abi/device_properties.hpp"
#include "hip/abi/status.hpp"
#include "hip/abi/texture_types.hpp"
#include "hip/abi/types.hpp"

namespace hip_abi = wavetank::hip::abi;

TEST(HipLayout, PropertiesOfRocm5HaveTheHeadersOffsets) {
  EXPECT_EQ(sizeof(hip_abi::PropertiesR0000), sizeof(hipDeviceProp_t));
  EXPECT_EQ(offsetof(hip_abi::PropertiesR0000, multiProcessorCount),
            offsetof(hipDeviceProp_t, multiProcessorCount));
  EXPECT_EQ(offsetof(hip_abi::PropertiesR0000, arch), offsetof(hipDeviceProp_t, arch));
  EXPECT_EQ(offsetof(hip_abi::PropertiesR0000, gcnArchName), offsetof(hipDeviceProp_t, gcnArchName));
  EXPECT_EQ(offsetof(hip_abi::PropertiesR0000, memPitch), offsetof(hipDeviceProp_t, memPitch));
  EXPECT_EQ(offsetof(hip_abi::PropertiesR0000, pageableMemoryAccessUsesHostPageTables),
            offsetof(hipDeviceProp_t, pageableMemoryAccessUsesHostPageTables));
}

TEST(HipLayout, StructuresHaveTheHeadersSizes) {
  EXPECT_EQ(sizeof(hip_abi::PointerAttributes), sizeof(hipPointerAttribute_t));
  EXPECT_EQ(sizeof(hip_abi::FunctionAttributes), sizeof(hipFuncAttributes));
  EXPECT_EQ(sizeof(hip_abi::Memcpy3d), sizeof(hipMemcpy3DParms));
  EXPECT_EQ(sizeof(hip_abi::DriverMemcpy2d), sizeof(hip_Memcpy2D));
  EXPECT_EQ(sizeof(hip_abi::DriverMemcpy3d), sizeof(HIP_MEMCPY3D));
  EXPECT_EQ(sizeof(hip_abi::Array), sizeof(hipArray));
  EXPECT_EQ(sizeof(hip_abi::ArrayDescriptor), sizeof(HIP_ARRAY_DESCRIPTOR));
  EXPECT_EQ(sizeof(hip_abi::Array3dDescriptor), sizeof(HIP_ARRAY3D_DESCRIPTOR));
  EXPECT_EQ(sizeof(hip_abi::LaunchParams), sizeof(hipLaunchParams));
  EXPECT_EQ(sizeof(hip_abi::MemPoolProperties), sizeof(hipMemPoolProps));
  EXPECT_EQ(offsetof(hip_abi::DriverMemcpy3d, target_array), offsetof(HIP_MEMCPY3D, dstArray));
  EXPECT_EQ(offsetof(hip_abi::Array, channels), offsetof(hipArray, NumChannels));
  EXPECT_EQ(sizeof(hip_abi::ResourceDescription), sizeof(hipResourceDesc));
  EXPECT_EQ(offsetof(hip_abi::ResourceDescription, array), offsetof(hipResourceDesc, res));
  EXPECT_EQ(sizeof(hip_abi::TextureDescription), sizeof(hipTextureDesc));
  EXPECT_EQ(sizeof(hip_abi::TextureReference), sizeof(textureReference));
  EXPECT_EQ(offsetof(hip_abi::TextureReference, format), offsetof(textureReference, channelDesc));
  EXPECT_EQ(offsetof(hip_abi::TextureReference, object), offsetof(textureReference, textureObject));
  EXPECT_EQ(offsetof(hip_abi::TextureReference, channels), offsetof(textureReference, numChannels));
  EXPECT_EQ(offsetof(hip_abi::TextureDescription, normalized_coordinates),
            offsetof(hipTextureDesc, normalizedCoords));
  EXPECT_EQ(sizeof(hip_abi::ResourceView), sizeof(hipResourceViewDesc));
}

TEST(HipLayout, AttributesHaveTheHeadersNumbers) {
  using A = hip_abi::DeviceAttribute;
  const auto number = [](A attribute) { return static_cast<int>(attribute); };
  EXPECT_EQ(number(A::kEccEnabled), hipDeviceAttributeEccEnabled);
  EXPECT_EQ(number(A::kMaxThreadsPerBlock), hipDeviceAttributeMaxThreadsPerBlock);
  EXPECT_EQ(number(A::kMultiprocessorCount), hipDeviceAttributeMultiprocessorCount);
  EXPECT_EQ(number(A::kWarpSize), hipDeviceAttributeWarpSize);
  EXPECT_EQ(number(A::kMemoryPoolsSupported), hipDeviceAttributeMemoryPoolsSupported);
  EXPECT_EQ(number(A::kClockInstructionRate), hipDeviceAttributeClockInstructionRate);
  EXPECT_EQ(number(A::kIsLargeBar), hipDeviceAttributeIsLargeBar);
  EXPECT_EQ(number(A::kFineGrainSupport), hipDeviceAttributeFineGrainSupport);
}

TEST(HipLayout, StatusesHaveTheHeadersNumbers) {
  EXPECT_EQ(static_cast<int>(hip_abi::Status::kInvalidConfiguration), hipErrorInvalidConfiguration);
  EXPECT_EQ(static_cast<int>(hip_abi::Status::kNotReady), hipErrorNotReady);
  EXPECT_EQ(static_cast<int>(hip_abi::Status::kGraphExecUpdateFailure), hipErrorGraphExecUpdateFailure);
  EXPECT_EQ(static_cast<int>(hip_abi::Status::kRuntimeOther), hipErrorRuntimeOther);
}
