#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <set>

// Since ROCm 5.5.
extern "C" hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute,
                                             hipDeviceptr_t pointer);

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

TEST(HipPointers, AttributesComeInTheSizesThatProgramsHaveRoomFor) {
  char* memory = nullptr;
  ASSERT_EQ(hipMalloc(reinterpret_cast<void**>(&memory), 1000), hipSuccess);
  unsigned size[2] = {0, 0x5a5a5a5a};
  EXPECT_EQ(hipPointerGetAttribute(size, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, memory + 10),
            hipSuccess);
  EXPECT_EQ(size[0], 1000u);
  EXPECT_EQ(size[1], 0x5a5a5a5au);
  unsigned number[2] = {0, 0x5a5a5a5a};
  EXPECT_EQ(hipPointerGetAttribute(number, HIP_POINTER_ATTRIBUTE_BUFFER_ID, memory), hipSuccess);
  EXPECT_EQ(number[1], 0x5a5a5a5au);
  void* device_pointer = nullptr;
  EXPECT_EQ(
      hipPointerGetAttribute(&device_pointer, HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, memory + 10),
      hipSuccess);
  EXPECT_EQ(device_pointer, memory + 10);
  EXPECT_EQ(hipPointerGetAttribute(&device_pointer, HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory),
            hipErrorNotSupported);
  EXPECT_EQ(hipFree(memory), hipSuccess);
}

TEST(HipPointers, ABufferThatComesAgainAtAnAddressHasAnotherNumber) {
  std::set<unsigned> numbers;
  for (int i = 0; i < 3; ++i) {
    void* memory = nullptr;
    ASSERT_EQ(hipMalloc(&memory, 4096), hipSuccess);
    unsigned first = 0;
    unsigned again = 1;
    EXPECT_EQ(hipPointerGetAttribute(&first, HIP_POINTER_ATTRIBUTE_BUFFER_ID, memory), hipSuccess);
    EXPECT_EQ(hipPointerGetAttribute(&again, HIP_POINTER_ATTRIBUTE_BUFFER_ID, memory), hipSuccess);
    EXPECT_EQ(first, again);
    EXPECT_TRUE(numbers.insert(first).second);
    EXPECT_EQ(hipFree(memory), hipSuccess);
  }
}

TEST(HipPointers, AnArrayIsAKindOfMemory) {
  const hipChannelFormatDesc format = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindSigned);
  hipArray_t array = nullptr;
  ASSERT_EQ(hipMallocArray(&array, &format, 16, 16, hipArrayDefault), hipSuccess);
  unsigned type = 0;
  EXPECT_EQ(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, array), hipSuccess);
  EXPECT_EQ(type, static_cast<unsigned>(hipMemoryTypeArray));
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
  EXPECT_EQ(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, array),
            hipErrorInvalidValue);
}

TEST(HipPointers, SeveralAttributesOfUnknownMemoryAreEmptyAndNoError) {
  int own = 0;
  void* device_pointer = &own;
  int ordinal = 7;
  hipPointer_attribute attributes[] = {HIP_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                       HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* data[] = {&device_pointer, &ordinal};
  EXPECT_EQ(hipDrvPointerGetAttributes(2, attributes, data, &own), hipSuccess);
  EXPECT_EQ(device_pointer, nullptr);
  EXPECT_EQ(ordinal, -2);
}

TEST(HipPointers, SynchronousOperationsAreAskedForByAllocation) {
  char* memory = nullptr;
  ASSERT_EQ(hipMalloc(reinterpret_cast<void**>(&memory), 100), hipSuccess);
  const auto attribute = HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS;
  bool synchronous = true;
  EXPECT_EQ(hipPointerGetAttribute(&synchronous, attribute, memory), hipSuccess);
  EXPECT_FALSE(synchronous);
  unsigned on = 1;
  EXPECT_EQ(hipPointerSetAttribute(&on, attribute, memory + 5), hipSuccess);
  EXPECT_EQ(hipPointerGetAttribute(&synchronous, attribute, memory + 50), hipSuccess);
  EXPECT_TRUE(synchronous);
  on = 2;
  EXPECT_EQ(hipPointerSetAttribute(&on, attribute, memory), hipErrorInvalidValue);
  EXPECT_EQ(hipPointerSetAttribute(&on, attribute, nullptr), hipErrorInvalidValue);
  on = 0;
  EXPECT_EQ(hipPointerSetAttribute(&on, attribute, &on), hipErrorInvalidDevicePointer);
  EXPECT_EQ(hipFree(memory), hipSuccess);
}
