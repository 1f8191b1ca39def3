// What tools ask the library about itself, and semaphores that nobody can import.
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>
// Needs the types of the other.
#include <hip/amd_detail/hip_prof_str.h>

#include <vector>

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

/// activity_record_t of ROCm 6, and those that a listener was given.
struct Activity {
  uint32_t domain, kind, operation;
  uint64_t correlation_id, begin_ns, end_ns;
  int device_id;
  uint64_t queue_id, bytes;
};
std::vector<Activity> activities;

extern "C" void hipRegisterTracerCallback(int (*)(int, uint32_t, void*));

/// Wants to know of copies and barriers.
int listen(int domain, uint32_t operation, void* record) {
  if (domain != 2 || operation == 0) return 1;
  if (record != nullptr) activities.push_back(*static_cast<Activity*>(record));
  return 0;
}

TEST(HipTools, AListenerIsToldWhatTheDeviceDoes) {
  void* memory = nullptr;
  char host[64] = {};
  hipEvent_t event = nullptr;
  ASSERT_EQ(hipMalloc(&memory, 64), hipSuccess);
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  hipRegisterTracerCallback(&listen);
  EXPECT_EQ(hipMemset(memory, 1, 48), hipSuccess);
  EXPECT_EQ(hipMemcpy(host, memory, 32, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(hipMemcpy2D(memory, 16, host, 16, 8, 4, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipEventRecord(event, nullptr), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  hipRegisterTracerCallback(nullptr);
  EXPECT_EQ(hipMemset(memory, 1, 48), hipSuccess);
  EXPECT_EQ(hipFree(memory), hipSuccess);
  EXPECT_EQ(hipEventDestroy(event), hipSuccess);
  ASSERT_EQ(activities.size(), 4u);
  const char* const names[] = {"FillBuffer", "CopyDeviceToHost", "CopyHostToDevice2D", "Marker"};
  const uint64_t bytes[] = {48, 32, 32, 0};
  for (int i = 0; i < 4; ++i) {
    EXPECT_STREQ(hipGetCmdName(activities[i].kind), names[i]);
    EXPECT_EQ(activities[i].bytes, bytes[i]);
    EXPECT_EQ(activities[i].device_id, 1);
    EXPECT_LE(activities[i].begin_ns, activities[i].end_ns);
  }
  EXPECT_EQ(activities[0].queue_id, activities[3].queue_id);
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
