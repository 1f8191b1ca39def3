#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

// Since ROCm 5.3.
extern "C" hipError_t hipDeviceSetLimit(hipLimit_t limit, std::size_t value);

namespace {

constexpr auto kLimitStackSize = static_cast<hipLimit_t>(0);

/// Two devices: an MI210 and an MI300X.
class HipDevices : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WAVETANK_DEVICE", "mi210,mi300x", 1); }
  void TearDown() override { EXPECT_EQ(hipSetDevice(0), hipSuccess); }
};

}  // namespace

TEST_F(HipDevices, DevicesComeInTheOrderTheyWereAskedFor) {
  int count = 0;
  ASSERT_EQ(hipGetDeviceCount(&count), hipSuccess);
  ASSERT_EQ(count, 2);
  hipDeviceProp_t properties;
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  EXPECT_STREQ(properties.name, "AMD Instinct MI210");
  EXPECT_STREQ(properties.gcnArchName, "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(properties.multiProcessorCount, 104);
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.minor, 0);
  EXPECT_EQ(properties.warpSize, 64);
  EXPECT_EQ(properties.sharedMemPerBlock, 65536u);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.maxThreadsPerMultiProcessor, 2048);
  ASSERT_EQ(hipGetDeviceProperties(&properties, 1), hipSuccess);
  EXPECT_STREQ(properties.gcnArchName, "gfx942:sramecc+:xnack-");
  EXPECT_EQ(properties.minor, 4);
  EXPECT_EQ(hipGetDeviceProperties(&properties, 2), hipErrorInvalidDevice);
}

TEST_F(HipDevices, AttributesAgreeWithProperties) {
  int value = 0;
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0), hipSuccess);
  EXPECT_EQ(value, 104);
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeCooperativeLaunch, 0), hipSuccess);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeImageSupport, 0), hipSuccess);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxTextureCubemap, 0), hipSuccess);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(5000), 0),
            hipErrorInvalidValue);
}

TEST_F(HipDevices, FlushRegistersAreWordsThatCanBeWritten) {
  hipDeviceProp_t properties;
  ASSERT_EQ(hipGetDeviceProperties(&properties, 0), hipSuccess);
  for (const auto& [attribute, expected] :
       {std::pair(hipDeviceAttributeHdpMemFlushCntl, properties.hdpMemFlushCntl),
        std::pair(hipDeviceAttributeHdpRegFlushCntl, properties.hdpRegFlushCntl)}) {
    unsigned* address = nullptr;
    ASSERT_EQ(hipDeviceGetAttribute(reinterpret_cast<int*>(&address), attribute, 0), hipSuccess);
    EXPECT_EQ(address, expected);
    ASSERT_NE(address, nullptr);
    *address = 1;
    void* on_device = nullptr;
    EXPECT_EQ(hipHostGetDevicePointer(&on_device, address, 0), hipSuccess) << "kernels write too";
  }
}

TEST_F(HipDevices, TheStackLimitIsWhatWasSetInWholeSteps) {
  std::size_t bytes = 0;
  EXPECT_EQ(hipDeviceGetLimit(&bytes, kLimitStackSize), hipSuccess);
  EXPECT_EQ(bytes, 1024u);
  EXPECT_EQ(hipDeviceSetLimit(kLimitStackSize, 1032), hipSuccess);
  EXPECT_EQ(hipDeviceGetLimit(&bytes, kLimitStackSize), hipSuccess);
  EXPECT_EQ(bytes, 1040u);
  EXPECT_EQ(hipDeviceSetLimit(kLimitStackSize, 128 * 1024 - 16), hipSuccess);
  EXPECT_EQ(hipDeviceSetLimit(kLimitStackSize, 128 * 1024 - 15), hipErrorInvalidValue);
}

TEST_F(HipDevices, ALimitBeyondTheLastIsAnInvalidValueAndPrintfHasNone) {
  std::size_t bytes = 0;
  EXPECT_EQ(hipDeviceSetLimit(static_cast<hipLimit_t>(3), 1024), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceSetLimit(static_cast<hipLimit_t>(-1), 1024), hipErrorUnsupportedLimit);
  EXPECT_EQ(hipDeviceGetLimit(&bytes, static_cast<hipLimit_t>(3)), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetLimit(&bytes, hipLimitPrintfFifoSize), hipErrorUnsupportedLimit);
  EXPECT_EQ(hipDeviceSetLimit(hipLimitPrintfFifoSize, 1024), hipErrorUnsupportedLimit);
}

TEST_F(HipDevices, OnlyTheScheduleOfTheFlagsIsKept) {
  ASSERT_EQ(hipSetDeviceFlags(hipDeviceScheduleYield | hipDeviceMapHost | 0x10 /* stack */),
            hipSuccess);
  unsigned flags = 0;
  EXPECT_EQ(hipGetDeviceFlags(&flags), hipSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(hipDeviceScheduleYield));
  EXPECT_EQ(hipSetDeviceFlags(0), hipSuccess);
}

TEST_F(HipDevices, OccupancyKnowsTwoFlags) {
  int blocks = 0;
  const void* const no_kernel = nullptr;
  const auto active_blocks = [&](unsigned flags) {
    return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, no_kernel, 64, 0, flags);
  };
  EXPECT_EQ(active_blocks(1), hipErrorInvalidDeviceFunction) << "a known flag";
  EXPECT_EQ(active_blocks(2), hipErrorInvalidValue);
  EXPECT_EQ(active_blocks(0xffff), hipErrorInvalidValue);
}

TEST_F(HipDevices, ADevicesPoolNeedsADevice) {
  hipMemPool_t pool = nullptr;
  ASSERT_EQ(hipDeviceGetMemPool(&pool, 1), hipSuccess);
  EXPECT_EQ(hipDeviceGetMemPool(&pool, 2), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetMemPool(&pool, -1), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceSetMemPool(2, pool), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetDefaultMemPool(&pool, 2), hipErrorInvalidDevice);
}

TEST_F(HipDevices, ALinkHasTwoDevices) {
  std::uint32_t type = 0;
  std::uint32_t hops = 0;
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(0, 1, &type, &hops), hipSuccess);
  EXPECT_EQ(hops, 1u);
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(0, 0, &type, &hops), hipErrorInvalidValue);
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(-1, 0, &type, &hops), hipErrorInvalidValue);
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(0, 2, &type, &hops), hipErrorInvalidDevice);
  EXPECT_EQ(hipExtGetLinkTypeAndHopCount(0, 1, nullptr, &hops), hipErrorInvalidValue);
}

TEST_F(HipDevices, EveryThreadHasItsOwnCurrentDevice) {
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  int mine = -1;
  int other = -1;
  EXPECT_EQ(hipGetDevice(&mine), hipSuccess);
  std::thread([&] { (void)hipGetDevice(&other); }).join();
  EXPECT_EQ(mine, 1);
  EXPECT_EQ(other, 0);
  EXPECT_EQ(hipSetDevice(2), hipErrorInvalidDevice);
}

TEST_F(HipDevices, AStreamBelongsToTheDeviceItWasMadeOn) {
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipSetDevice(0), hipSuccess);
  EXPECT_EQ(hipGetStreamDeviceId(stream), 1);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

TEST_F(HipDevices, PeersAreTheOtherDevices) {
  int can_access = -1;
  EXPECT_EQ(hipDeviceCanAccessPeer(&can_access, 0, 1), hipSuccess);
  EXPECT_EQ(can_access, 1);
  EXPECT_EQ(hipDeviceCanAccessPeer(&can_access, 0, 0), hipSuccess);
  EXPECT_EQ(can_access, 0);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), hipSuccess);
  EXPECT_EQ(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(hipDeviceDisablePeerAccess(1), hipSuccess);
  EXPECT_EQ(hipDeviceDisablePeerAccess(1), hipErrorPeerAccessNotEnabled);
}

TEST_F(HipDevices, MemoryBelongsToTheCurrentDevice) {
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  void* memory = nullptr;
  ASSERT_EQ(hipMalloc(&memory, 100), hipSuccess);
  hipPointerAttribute_t attributes{};
  EXPECT_EQ(hipPointerGetAttributes(&attributes, memory), hipSuccess);
  EXPECT_EQ(attributes.device, 1);
  EXPECT_EQ(hipFree(memory), hipSuccess);
}

TEST_F(HipDevices, AContextIsItsDevice) {
  hipCtx_t context = nullptr;
  ASSERT_EQ(hipCtxCreate(&context, 0, 1), hipSuccess);
  hipDevice_t device = -1;
  EXPECT_EQ(hipCtxGetDevice(&device), hipSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(hipCtxPopCurrent(nullptr), hipSuccess);
  EXPECT_EQ(hipCtxDestroy(context), hipSuccess);
}

TEST_F(HipDevices, PciAddressesAreDistinctAndFindTheirDevice) {
  char first[16];
  char second[16];
  ASSERT_EQ(hipDeviceGetPCIBusId(first, sizeof first, 0), hipSuccess);
  ASSERT_EQ(hipDeviceGetPCIBusId(second, sizeof second, 1), hipSuccess);
  EXPECT_NE(std::string(first), second);
  int device = -1;
  EXPECT_EQ(hipDeviceGetByPCIBusId(&device, second), hipSuccess);
  EXPECT_EQ(device, 1);
}

namespace {

/// The uuid's 16 hexadecimal digits, as AMD's tools compare them with the SMI library's number.
std::string uuid_of(int ordinal) {
  hipUUID uuid;
  EXPECT_EQ(hipDeviceGetUuid(&uuid, ordinal), hipSuccess);
  return {uuid.bytes, sizeof uuid.bytes};
}

[[noreturn]] void show_hidden_device() {
  setenv("HIP_VISIBLE_DEVICES", "1", 1);
  char bus[16] = {};
  const bool read = hipDeviceGetPCIBusId(bus, sizeof bus, 0) == hipSuccess;
  std::fprintf(stderr, "%s %s", bus, uuid_of(0).c_str());
  std::_Exit(read ? 0 : 1);
}

/// The first calls of a process: no stream has had an operation.
[[noreturn]] void copy_first_of_all_between_devices() {
  char memory[16] = {};
  const bool refused = hipMemcpyPeer(nullptr, 1, memory, 0, sizeof memory) == hipErrorInvalidValue;
  const bool empty = hipMemcpyPeer(memory, 1, memory, 0, 0) == hipSuccess;
  std::fprintf(stderr, "%s, %s", refused ? "refused" : "taken", empty ? "nothing to do" : "failed");
  std::_Exit(0);
}

}  // namespace

TEST(HipCopiesBetweenDevices, ThatComeToNothingMayBeTheFirstOperation) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("WAVETANK_DEVICE", "mi210,mi300x", 1);
        copy_first_of_all_between_devices();
      },
      testing::ExitedWithCode(0), "refused, nothing to do");
}

TEST_F(HipDevices, EveryDeviceHasItsOwnUuid) {
  EXPECT_EQ(uuid_of(0), "57415645544b0000");
  EXPECT_EQ(uuid_of(1), "57415645544b0001");
}

TEST(HipVisibleDevices, ADeviceKeepsItsPciAddressWhenOthersAreHidden) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("WAVETANK_DEVICE", "mi210,mi300x", 1);
        show_hidden_device();
      },
      testing::ExitedWithCode(0), "0000:04:00.0 57415645544b0001");
}
