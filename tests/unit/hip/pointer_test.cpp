#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

namespace {

hipPointerAttribute_t attributes_of(void* pointer) {
  hipPointerAttribute_t attributes{};
  EXPECT_EQ(hipPointerGetAttributes(&attributes, pointer), hipSuccess);
  return attributes;
}

}  // namespace

TEST(HipPointers, DeviceMemoryHasNoHostPointer) {
  char* memory = nullptr;
  ASSERT_EQ(hipMalloc(reinterpret_cast<void**>(&memory), 100), hipSuccess);
  const auto inside = attributes_of(memory + 99);
  EXPECT_EQ(inside.memoryType, hipMemoryTypeDevice);
  EXPECT_EQ(inside.devicePointer, memory + 99);
  EXPECT_EQ(inside.hostPointer, nullptr);
  EXPECT_EQ(inside.isManaged, 0);
  EXPECT_EQ(inside.device, 0);
  EXPECT_EQ(hipFree(memory), hipSuccess);
}

TEST(HipPointers, PinnedAndManagedMemoryHaveBothPointers) {
  void* pinned = nullptr;
  void* managed = nullptr;
  ASSERT_EQ(hipHostMalloc(&pinned, 100, 0), hipSuccess);
  ASSERT_EQ(hipMallocManaged(&managed, 100, hipMemAttachGlobal), hipSuccess);
  EXPECT_EQ(attributes_of(pinned).memoryType, hipMemoryTypeHost);
  EXPECT_EQ(attributes_of(pinned).hostPointer, pinned);
  EXPECT_EQ(attributes_of(managed).isManaged, 1);
  EXPECT_EQ(attributes_of(managed).devicePointer, managed);
  EXPECT_EQ(hipHostFree(pinned), hipSuccess);
  EXPECT_EQ(hipFree(managed), hipSuccess);
}

TEST(HipPointers, InRocm5UnknownMemoryIsAnError) {
  int on_stack = 0;
  hipPointerAttribute_t attributes{};
  EXPECT_EQ(hipPointerGetAttributes(&attributes, &on_stack), hipErrorInvalidValue);
}

TEST(HipPointers, TheAddressRangeIsTheWholeAllocation) {
  char* memory = nullptr;
  ASSERT_EQ(hipMalloc(reinterpret_cast<void**>(&memory), 1000), hipSuccess);
  hipDeviceptr_t base = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(hipMemGetAddressRange(&base, &size, memory + 10), hipSuccess);
  EXPECT_EQ(base, memory);
  EXPECT_GE(size, 1000u);
  EXPECT_EQ(hipFree(memory), hipSuccess);
  EXPECT_EQ(hipMemGetAddressRange(&base, &size, memory), hipErrorNotFound);
}

TEST(HipPointers, AdviceNeedsManagedMemoryAndAKnownDevice) {
  void* managed = nullptr;
  void* device = nullptr;
  ASSERT_EQ(hipMallocManaged(&managed, 4096, hipMemAttachGlobal), hipSuccess);
  ASSERT_EQ(hipMalloc(&device, 4096), hipSuccess);
  EXPECT_EQ(hipMemAdvise(managed, 4096, hipMemAdviseSetReadMostly, 0), hipSuccess);
  EXPECT_EQ(hipMemAdvise(managed, 4096, hipMemAdviseSetReadMostly, 7), hipErrorInvalidDevice);
  EXPECT_EQ(hipMemAdvise(device, 4096, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipMemPrefetchAsync(managed, 4096, hipCpuDeviceId, nullptr), hipSuccess);
  EXPECT_EQ(hipFree(managed), hipSuccess);
  EXPECT_EQ(hipFree(device), hipSuccess);
}
