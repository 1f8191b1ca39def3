// What programs say of managed memory, and what they are told when they ask.
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <array>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace {

constexpr std::size_t kPage = 4096;

/// Four pages of managed memory and two devices.
class HipAdvice : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WAVETANK_DEVICE", "mi210,mi300x", 1); }
  void SetUp() override {
    void* memory = nullptr;
    ASSERT_EQ(hipMallocManaged(&memory, 4 * kPage, hipMemAttachGlobal), hipSuccess);
    managed = static_cast<char*>(memory);
  }
  void TearDown() override { EXPECT_EQ(hipFree(managed), hipSuccess); }

  int ask(hipMemRangeAttribute attribute, std::size_t size = 4 * kPage, std::size_t offset = 0) {
    int value = 99;
    EXPECT_EQ(hipMemRangeGetAttribute(&value, sizeof value, attribute, managed + offset, size),
              hipSuccess);
    return value;
  }
  hipError_t advise(hipMemoryAdvise advice, int device, std::size_t size = 4 * kPage,
                    std::size_t offset = 0) {
    return hipMemAdvise(managed + offset, size, advice, device);
  }
  std::array<int, 4> accessed_by(std::size_t size = 4 * kPage) {
    std::array<int, 4> devices{};
    EXPECT_EQ(hipMemRangeGetAttribute(devices.data(), sizeof devices,
                                      hipMemRangeAttributeAccessedBy, managed, size),
              hipSuccess);
    return devices;
  }

  char* managed = nullptr;
};

}  // namespace

TEST_F(HipAdvice, NothingIsAdvisedAtFirst) {
  EXPECT_EQ(ask(hipMemRangeAttributeReadMostly), 0);
  EXPECT_EQ(ask(hipMemRangeAttributePreferredLocation), hipInvalidDeviceId);
  EXPECT_EQ(ask(hipMemRangeAttributeLastPrefetchLocation), hipInvalidDeviceId);
  EXPECT_EQ(ask(hipMemRangeAttributeCoherencyMode), hipMemRangeCoherencyModeFineGrain);
  EXPECT_EQ(accessed_by(), (std::array{-2, -2, -2, -2}));
}

TEST_F(HipAdvice, EachKindOfAdviceIsToldAndTakenBackByItself) {
  EXPECT_EQ(advise(hipMemAdviseSetReadMostly, 0), hipSuccess);
  EXPECT_EQ(advise(hipMemAdviseSetPreferredLocation, 1), hipSuccess);
  EXPECT_EQ(advise(hipMemAdviseSetAccessedBy, hipCpuDeviceId), hipSuccess);
  EXPECT_EQ(advise(hipMemAdviseSetAccessedBy, 1), hipSuccess);
  EXPECT_EQ(hipMemPrefetchAsync(managed, 4 * kPage, hipCpuDeviceId, nullptr), hipSuccess);
  EXPECT_EQ(ask(hipMemRangeAttributeReadMostly), 1);
  EXPECT_EQ(ask(hipMemRangeAttributePreferredLocation), 1);
  EXPECT_EQ(ask(hipMemRangeAttributeLastPrefetchLocation), hipCpuDeviceId);
  EXPECT_EQ(accessed_by(), (std::array{1, hipCpuDeviceId, -2, -2}));
  EXPECT_EQ(ask(hipMemRangeAttributeAccessedBy), 1) << "one place: the first";
  EXPECT_EQ(advise(hipMemAdviseUnsetReadMostly, 0), hipSuccess);
  EXPECT_EQ(advise(hipMemAdviseUnsetAccessedBy, 1), hipSuccess);
  EXPECT_EQ(ask(hipMemRangeAttributeReadMostly), 0);
  EXPECT_EQ(accessed_by(), (std::array{hipCpuDeviceId, -2, -2, -2}));
  EXPECT_EQ(ask(hipMemRangeAttributePreferredLocation), 1);
  EXPECT_EQ(advise(hipMemAdviseUnsetPreferredLocation, 1), hipSuccess);
  EXPECT_EQ(ask(hipMemRangeAttributePreferredLocation), hipInvalidDeviceId);
}

TEST_F(HipAdvice, ARangeHasWhatAllItsPagesHave) {
  EXPECT_EQ(advise(hipMemAdviseSetReadMostly, 0, kPage), hipSuccess);
  EXPECT_EQ(advise(hipMemAdviseSetPreferredLocation, 0, kPage), hipSuccess);
  EXPECT_EQ(advise(hipMemAdviseSetAccessedBy, 0, kPage), hipSuccess);
  EXPECT_EQ(advise(hipMemAdviseSetCoarseGrain, 0, kPage), hipSuccess);
  for (const auto& [size, read_mostly, location, coherency] :
       {std::tuple(kPage, 1, 0, hipMemRangeCoherencyModeCoarseGrain),
        std::tuple(kPage + 1, 0, hipInvalidDeviceId, hipMemRangeCoherencyModeIndeterminate)}) {
    EXPECT_EQ(ask(hipMemRangeAttributeReadMostly, size), read_mostly);
    EXPECT_EQ(ask(hipMemRangeAttributePreferredLocation, size), location);
    EXPECT_EQ(accessed_by(size)[0], location);
    EXPECT_EQ(ask(hipMemRangeAttributeCoherencyMode, size), coherency);
  }
}

TEST_F(HipAdvice, RangesAreRoundedOutToPages) {
  for (const auto& [offset, size, pages] :
       {std::tuple(kPage / 4, kPage / 2, 1u), std::tuple(kPage / 2, kPage, 2u),
        std::tuple(kPage / 2, 2 * kPage, 3u)}) {
    EXPECT_EQ(hipMemPrefetchAsync(managed + offset, size, 1, nullptr), hipSuccess);
    EXPECT_EQ(ask(hipMemRangeAttributeLastPrefetchLocation, pages * kPage), 1);
    EXPECT_EQ(ask(hipMemRangeAttributeLastPrefetchLocation, 4 * kPage), hipInvalidDeviceId);
    EXPECT_EQ(hipMemPrefetchAsync(managed, 4 * kPage, 0, nullptr), hipSuccess);
    EXPECT_EQ(ask(hipMemRangeAttributeLastPrefetchLocation, 4 * kPage), 0) << "joined again";
  }
}

TEST_F(HipAdvice, MemoryThatComesAgainAtAnAddressHasNoAdvice) {
  EXPECT_EQ(advise(hipMemAdviseSetReadMostly, 0), hipSuccess);
  char* const before = managed;
  EXPECT_EQ(hipFree(managed), hipSuccess);
  SetUp();
  ASSERT_EQ(managed, before);
  EXPECT_EQ(ask(hipMemRangeAttributeReadMostly), 0);
}

TEST_F(HipAdvice, OnlyTheSizeOfAnAttributeIsTaken) {
  int values[8] = {};
  const auto size_of = [&](hipMemRangeAttribute attribute, std::size_t data_bytes) {
    return hipMemRangeGetAttribute(values, data_bytes, attribute, managed, kPage);
  };
  for (const std::size_t wrong : {0, 3, 6, 7, 8, 27}) {
    EXPECT_EQ(size_of(hipMemRangeAttributeReadMostly, wrong), hipErrorInvalidValue) << wrong;
    EXPECT_EQ(size_of(hipMemRangeAttributePreferredLocation, wrong), hipErrorInvalidValue);
    EXPECT_EQ(size_of(hipMemRangeAttributeLastPrefetchLocation, wrong), hipErrorInvalidValue);
  }
  EXPECT_EQ(size_of(hipMemRangeAttributeAccessedBy, 8), hipSuccess);
  EXPECT_EQ(size_of(hipMemRangeAttributeAccessedBy, 10), hipErrorInvalidValue);
  EXPECT_EQ(size_of(static_cast<hipMemRangeAttribute>(999), 4), hipErrorInvalidValue);
  std::array<void*, 2> data = {&values[0], &values[1]};
  std::array<std::size_t, 2> sizes = {4, 5};
  std::array attributes = {hipMemRangeAttributeReadMostly, hipMemRangeAttributePreferredLocation};
  EXPECT_EQ(hipMemRangeGetAttributes(data.data(), sizes.data(), attributes.data(), 2, managed, 1),
            hipErrorInvalidValue);
  sizes[1] = 4;
  EXPECT_EQ(hipMemRangeGetAttributes(data.data(), sizes.data(), attributes.data(), 2, managed, 1),
            hipSuccess);
}

TEST_F(HipAdvice, ReadMostlyNamesNoDeviceTheOthersAKnownOne) {
  EXPECT_EQ(advise(hipMemAdviseSetReadMostly, 99), hipSuccess);
  EXPECT_EQ(advise(hipMemAdviseUnsetReadMostly, -12), hipSuccess);
  EXPECT_EQ(advise(hipMemAdviseSetAccessedBy, 2), hipErrorInvalidDevice);
  EXPECT_EQ(advise(hipMemAdviseSetPreferredLocation, hipInvalidDeviceId), hipErrorInvalidDevice);
  EXPECT_EQ(advise(static_cast<hipMemoryAdvise>(7), 0), hipErrorInvalidValue);
  EXPECT_EQ(advise(hipMemAdviseSetReadMostly, 0, 5 * kPage), hipErrorInvalidValue);
  EXPECT_EQ(hipMemPrefetchAsync(managed, 0, 9, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipMemPrefetchAsync(managed, kPage, 9, nullptr), hipErrorInvalidDevice);
}

TEST_F(HipAdvice, MemoryThatIsNotManagedHasACoherencyAndNothingElse) {
  void* device = nullptr;
  void* fine_grained = nullptr;
  void* pinned = nullptr;
  ASSERT_EQ(hipMalloc(&device, kPage), hipSuccess);
  ASSERT_EQ(hipExtMallocWithFlags(&fine_grained, kPage, hipDeviceMallocFinegrained), hipSuccess);
  ASSERT_EQ(hipHostMalloc(&pinned, kPage, hipHostMallocNonCoherent), hipSuccess);
  for (const auto& [memory, expected] : {std::pair(device, hipMemRangeCoherencyModeCoarseGrain),
                                         std::pair(fine_grained, hipMemRangeCoherencyModeFineGrain),
                                         std::pair(pinned, hipMemRangeCoherencyModeCoarseGrain)}) {
    int mode = 99;
    EXPECT_EQ(hipMemRangeGetAttribute(&mode, sizeof mode, hipMemRangeAttributeCoherencyMode, memory,
                                      kPage),
              hipSuccess);
    EXPECT_EQ(mode, expected);
    EXPECT_EQ(
        hipMemRangeGetAttribute(&mode, sizeof mode, hipMemRangeAttributeReadMostly, memory, kPage),
        hipErrorInvalidValue);
    EXPECT_EQ(hipMemAdvise(memory, kPage, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  }
  EXPECT_EQ(hipFree(device), hipSuccess);
  EXPECT_EQ(hipFree(fine_grained), hipSuccess);
  EXPECT_EQ(hipHostFree(pinned), hipSuccess);
}

TEST_F(HipAdvice, MemoryIsAttachedToOneStreamOnlyIfThereIsOne) {
  const auto attach = [&](hipStream_t stream, unsigned flags) {
    return hipStreamAttachMemAsync(stream, reinterpret_cast<hipDeviceptr_t*>(managed), 0, flags);
  };
  EXPECT_EQ(attach(nullptr, hipMemAttachGlobal), hipSuccess);
  EXPECT_EQ(attach(nullptr, hipMemAttachSingle), hipErrorInvalidValue);
  EXPECT_EQ(attach(hipStreamPerThread, hipMemAttachSingle), hipSuccess);
}
