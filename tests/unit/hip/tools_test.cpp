// What tools ask the library about itself, and semaphores that nobody can import.
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>
// Needs the types of the other.
#include <hip/amd_detail/hip_prof_str.h>

extern "C" const char* hipApiName(uint32_t);
extern "C" const char* hipGetCmdName(uint32_t);
extern "C" void __hipGetPCH(const char**, unsigned*);

TEST(HipTools, FunctionsHaveTheNumbersOfRocmsHeader) {
  for (uint32_t id = 0; id <= HIP_API_ID_LAST + 100; ++id) {
    EXPECT_STREQ(hipApiName(id), hip_api_name(id)) << id;
  }
  EXPECT_STREQ(hipApiName(HIP_API_ID_hipMalloc), "hipMalloc");
  EXPECT_STREQ(hipApiName(~0u), "unknown");
}

TEST(HipTools, CommandsHaveNames) {
  EXPECT_STREQ(hipGetCmdName(0x11F0), "KernelExecution");
  EXPECT_STREQ(hipGetCmdName(0x4502), "StreamWrite");
  EXPECT_STREQ(hipGetCmdName(0x1234), "Unknown command kind");
}

TEST(HipTools, NoPrecompiledHeaderIsInsideTheLibrary) {
  const char* header = "";
  unsigned size = 1;
  __hipGetPCH(&header, &size);
  EXPECT_EQ(header, nullptr);
  EXPECT_EQ(size, 0u);
}

TEST(HipSemaphores, NullArgumentsAreRefusedAndNoSemaphoreCanBeImported) {
  hipExternalSemaphore_t semaphore = nullptr;
  hipExternalSemaphoreHandleDesc description{};
  hipExternalSemaphoreSignalParams signal{};
  hipExternalSemaphoreWaitParams wait{};
  EXPECT_EQ(hipSignalExternalSemaphoresAsync(nullptr, &signal, 1, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipSignalExternalSemaphoresAsync(&semaphore, nullptr, 1, nullptr),
            hipErrorInvalidValue);
  EXPECT_EQ(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr), hipErrorInvalidValue)
      << "a null semaphore";
  EXPECT_EQ(hipWaitExternalSemaphoresAsync(&semaphore, nullptr, 1, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipWaitExternalSemaphoresAsync(nullptr, &wait, 1, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipDestroyExternalSemaphore(nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipImportExternalSemaphore(nullptr, &description), hipErrorInvalidValue);
  EXPECT_EQ(hipImportExternalSemaphore(&semaphore, &description), hipErrorInvalidValue)
      << "no kind of handle";
  description.type = hipExternalSemaphoreHandleTypeOpaqueFd;
  description.handle.fd = 3;
  EXPECT_EQ(hipImportExternalSemaphore(&semaphore, &description), hipErrorNotSupported);
}
