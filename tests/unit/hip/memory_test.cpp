#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <cstdlib>
#include <cstring>

TEST(HipMemory, SizeZeroGivesANullPointerAndSuccess) {
  void* memory = &memory;
  EXPECT_EQ(hipMalloc(&memory, 0), hipSuccess);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(hipFree(nullptr), hipSuccess);
}

TEST(HipMemory, FreeingWhatIsNoAllocationIsAnError) {
  int on_stack = 0;
  EXPECT_EQ(hipFree(&on_stack), hipErrorInvalidValue);
  char* memory = nullptr;
  ASSERT_EQ(hipMalloc(reinterpret_cast<void**>(&memory), 64), hipSuccess);
  EXPECT_EQ(hipFree(memory + 1), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(memory), hipSuccess);
  EXPECT_EQ(hipFree(memory), hipErrorInvalidValue);
}

TEST(HipMemory, TheDevicesCapacityIsTheLimit) {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  ASSERT_EQ(hipMemGetInfo(&free_bytes, &total_bytes), hipSuccess);
  EXPECT_EQ(total_bytes, 64ull << 30);  // MI210
  void* memory = nullptr;
  EXPECT_EQ(hipMalloc(&memory, total_bytes + 1), hipErrorOutOfMemory);
  EXPECT_EQ(memory, nullptr);
  ASSERT_EQ(hipMalloc(&memory, 1 << 20), hipSuccess);
  std::size_t free_after = 0;
  ASSERT_EQ(hipMemGetInfo(&free_after, &total_bytes), hipSuccess);
  EXPECT_GE(free_bytes - free_after, std::size_t{1} << 20);
  EXPECT_EQ(hipFree(memory), hipSuccess);
}

TEST(HipMemory, PitchedRowsBeginAtMultiplesOf256Bytes) {
  void* memory = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(hipMallocPitch(&memory, &pitch, 257, 3), hipSuccess);
  EXPECT_EQ(pitch, 512u);
  EXPECT_EQ(hipFree(memory), hipSuccess);
  hipPitchedPtr box;
  ASSERT_EQ(hipMalloc3D(&box, make_hipExtent(256, 2, 2)), hipSuccess);
  EXPECT_EQ(box.pitch, 256u);
  EXPECT_EQ(hipFree(box.ptr), hipSuccess);
}

TEST(HipMemory, PinnedMemoryKeepsItsFlagsAndIsItsOwnDevicePointer) {
  void* memory = nullptr;
  ASSERT_EQ(hipHostMalloc(&memory, 100, hipHostMallocMapped), hipSuccess);
  unsigned flags = 0;
  EXPECT_EQ(hipHostGetFlags(&flags, memory), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(hipHostMallocMapped));
  void* device_pointer = nullptr;
  EXPECT_EQ(hipHostGetDevicePointer(&device_pointer, memory, 0), hipSuccess);
  EXPECT_EQ(device_pointer, memory);
  EXPECT_EQ(hipHostFree(memory), hipSuccess);
  EXPECT_EQ(hipHostMalloc(&memory, 100, hipHostMallocCoherent | hipHostMallocNonCoherent),
            hipErrorInvalidValue);
}

TEST(HipMemory, HostMemoryIsKnownWhileItIsRegistered) {
  void* memory = std::aligned_alloc(4096, 4096);
  void* device_pointer = nullptr;
  EXPECT_EQ(hipHostGetDevicePointer(&device_pointer, memory, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipHostRegister(memory, 4096, hipHostRegisterDefault), hipSuccess);
  EXPECT_EQ(hipHostRegister(memory, 4096, hipHostRegisterDefault), hipSuccess)
      << "the address may come again from the heap";
  EXPECT_EQ(hipHostGetDevicePointer(&device_pointer, memory, 0), hipSuccess);
  EXPECT_EQ(hipHostUnregister(memory), hipSuccess);
  EXPECT_EQ(hipHostUnregister(memory), hipErrorHostMemoryNotRegistered);
  std::free(memory);
}

TEST(HipMemory, MoreThanTheProcessHasCannotBeRegistered) {
  int own = 0;
  EXPECT_EQ(hipHostRegister(&own, std::size_t{64} << 30, hipHostRegisterDefault),
            hipErrorInvalidValue);
  void* pinned = nullptr;
  ASSERT_EQ(hipHostMalloc(&pinned, 4096, 0), hipSuccess);
  EXPECT_EQ(hipHostRegister(pinned, 4096, 0), hipErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(hipHostFree(pinned), hipSuccess);
}

TEST(HipMemory, APoolCountsWhatIsInUse) {
  hipMemPool_t pool = nullptr;
  ASSERT_EQ(hipDeviceGetDefaultMemPool(&pool, 0), hipSuccess);
  void* memory = nullptr;
  ASSERT_EQ(hipMallocAsync(&memory, 4096, nullptr), hipSuccess);
  std::uint64_t used = 0;
  EXPECT_EQ(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used), hipSuccess);
  EXPECT_EQ(used, 4096u);
  ASSERT_EQ(hipFreeAsync(memory, nullptr), hipSuccess);
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used), hipSuccess);
  EXPECT_EQ(used, 0u);
  EXPECT_EQ(hipMemPoolDestroy(pool), hipErrorInvalidValue);
}
