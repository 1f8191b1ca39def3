#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <future>
#include <numeric>
#include <vector>

#include "rocm7_copies.hpp"

namespace {

using Bytes = std::vector<unsigned char>;

Bytes count_up(std::size_t size) {
  Bytes bytes(size);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
  return bytes;
}

/// Two devices, the first of which has arrays.
class HipCopies : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WAVETANK_DEVICE", "mi210,mi300x", 1); }
  void SetUp() override { ASSERT_EQ(hipStreamCreate(&stream), hipSuccess); }
  void TearDown() override {
    EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
    for (void* memory : memories) EXPECT_EQ(hipFree(memory), hipSuccess);
  }

  unsigned char* allocate(int device, std::size_t size) {
    void* memory = nullptr;
    EXPECT_EQ(hipSetDevice(device), hipSuccess);
    EXPECT_EQ(hipMalloc(&memory, size), hipSuccess);
    EXPECT_EQ(hipMemset(memory, 0xee, size), hipSuccess);
    // The fill may still run, and streams of other devices do not wait for it.
    EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
    memories.push_back(memory);
    return static_cast<unsigned char*>(memory);
  }
  unsigned char* allocate(const Bytes& content, int device = 0) {
    unsigned char* memory = allocate(device, content.size());
    EXPECT_EQ(hipMemcpy(memory, content.data(), content.size(), hipMemcpyHostToDevice),
              hipSuccess);
    return memory;
  }
  Bytes read(const unsigned char* memory, std::size_t size) {
    Bytes bytes(size);
    EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
    EXPECT_EQ(hipMemcpy(bytes.data(), memory, size, hipMemcpyDeviceToHost), hipSuccess);
    return bytes;
  }
  hipError_t copy(std::vector<void*> targets, std::vector<void*> sources,
                  std::vector<std::size_t> sizes,
                  std::vector<hipMemcpyAttributes> attributes = {},
                  std::vector<std::size_t> first_copies = {}) {
    return hipMemcpyBatchAsync(targets.data(), sources.data(), sizes.data(), targets.size(),
                               attributes.data(), first_copies.data(), attributes.size(), &failed,
                               stream);
  }

  hipStream_t stream = nullptr;
  std::size_t failed = 77;
  std::vector<void*> memories;
};

/// A copy of 3 x 2 x 2 bytes out of the middle of a box of 4 x 3 x 2.
hipMemcpy3DPeerParms box_copy(unsigned char* target, int target_device, unsigned char* source,
                              int source_device) {
  hipMemcpy3DPeerParms wanted{};
  wanted.srcPtr = {source, 4, 4, 3};
  wanted.srcPos = {1, 1, 0};
  wanted.srcDevice = source_device;
  wanted.dstPtr = {target, 3, 3, 2};
  wanted.dstDevice = target_device;
  wanted.extent = {3, 2, 2};
  return wanted;
}
const Bytes kBox = {5, 6, 7, 9, 10, 11, 17, 18, 19, 21, 22, 23};

hipMemcpyAttributes attributes_of(hipMemcpySrcAccessOrder order, unsigned flags = 0) {
  return {order, {}, {}, flags};
}

hipMemcpy3DOperand pointer(void* address, std::size_t row = 0, std::size_t height = 0) {
  hipMemcpy3DOperand operand{};
  operand.type = hipMemcpyOperandTypePointer;
  operand.op.ptr.ptr = address;
  operand.op.ptr.rowLength = row;
  operand.op.ptr.layerHeight = height;
  return operand;
}
hipMemcpy3DOperand array_at(hipArray_t array, hipOffset3D offset) {
  hipMemcpy3DOperand operand{};
  operand.type = hipMemcpyOperandTypeArray;
  operand.op.array.array = array;
  operand.op.array.offset = offset;
  return operand;
}

}  // namespace

TEST_F(HipCopies, ABoxGoesFromEitherDeviceToTheOther) {
  for (const int from : {0, 1}) {
    const int to = 1 - from;
    unsigned char* const source = allocate(count_up(24), from);
    unsigned char* const target = allocate(to, 12);
    auto wanted = box_copy(target, to, source, from);
    EXPECT_EQ(hipMemcpy3DPeer(&wanted), hipSuccess);
    EXPECT_EQ(read(target, 12), kBox);
    EXPECT_EQ(hipMemset(target, 0, 12), hipSuccess);
    EXPECT_EQ(hipMemcpy3DPeerAsync(&wanted, stream), hipSuccess);
    EXPECT_EQ(read(target, 12), kBox);
  }
}

TEST_F(HipCopies, ABoxThatLeavesItsMemoryOrNamesNoDeviceIsRefused) {
  unsigned char* const source = allocate(count_up(24));
  unsigned char* const target = allocate(1, 12);
  EXPECT_EQ(hipMemcpy3DPeer(nullptr), hipErrorInvalidValue);
  auto wanted = box_copy(target, 2, source, 0);
  EXPECT_EQ(hipMemcpy3DPeer(&wanted), hipErrorInvalidDevice);
  wanted = box_copy(target, 1, source, -1);
  EXPECT_EQ(hipMemcpy3DPeerAsync(&wanted, stream), hipErrorInvalidDevice);
  wanted = box_copy(target + 1, 1, source, 0);
  EXPECT_EQ(hipMemcpy3DPeer(&wanted), hipErrorInvalidValue);
  wanted = box_copy(nullptr, 1, source, 0);
  EXPECT_EQ(hipMemcpy3DPeer(&wanted), hipErrorInvalidValue);
}

TEST_F(HipCopies, APositionThatNoMemoryHasIsRefused) {
  unsigned char* const source = allocate(count_up(24));
  unsigned char* const target = allocate(1, 12);
  for (const hipPos& position :
       {hipPos{SIZE_MAX - 7, 0, 0}, hipPos{0, SIZE_MAX / 4, 0}, hipPos{0, 0, SIZE_MAX / 12 + 1},
        hipPos{std::size_t{1} << 45, 0, 0}, hipPos{25, 0, 0}}) {
    auto wanted = box_copy(target, 1, source, 0);
    wanted.srcPos = position;
    EXPECT_EQ(hipMemcpy3DPeer(&wanted), hipErrorInvalidValue) << position.x << ' ' << position.y;
    wanted = box_copy(target, 1, source, 0);
    wanted.dstPos = position;
    EXPECT_EQ(hipMemcpy3DPeer(&wanted), hipErrorInvalidValue) << position.x << ' ' << position.y;
  }
}

TEST_F(HipCopies, ABoxInMemoryThatWasFreedIsRefusedWhereverItLies) {
  unsigned char* target = allocate(1, 12);
  void* freed = nullptr;
  ASSERT_EQ(hipMalloc(&freed, 24), hipSuccess);
  ASSERT_EQ(hipFree(freed), hipSuccess);
  for (const std::size_t x : {std::size_t{0}, std::size_t{4096}, std::size_t{1} << 63}) {
    auto wanted = box_copy(target, 1, static_cast<unsigned char*>(freed), 0);
    wanted.srcPos = hipPos{x, 0, 0};
    EXPECT_EQ(hipMemcpy3DPeer(&wanted), hipErrorInvalidValue) << x;
  }
}

TEST_F(HipCopies, ABoxBetweenDevicesCanBeCaptured) {
  unsigned char* const source = allocate(count_up(24));
  unsigned char* const target = allocate(1, 12);
  auto wanted = box_copy(target, 1, source, 0);
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipSuccess);
  EXPECT_EQ(hipMemcpy3DPeerAsync(&wanted, stream), hipSuccess);
  ASSERT_EQ(hipStreamEndCapture(stream, &graph), hipSuccess);
  EXPECT_EQ(read(target, 12), Bytes(12, 0xee));
  ASSERT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, stream), hipSuccess);
  EXPECT_EQ(read(target, 12), kBox);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(HipCopies, ABatchCopiesEachSourceToItsTarget) {
  Bytes host = count_up(100);
  Bytes back(10);
  unsigned char* const a = allocate(0, 100);
  unsigned char* const b = allocate(1, 100);
  EXPECT_EQ(copy({a, b}, {host.data(), host.data() + 50}, {100, 50}), hipSuccess);
  EXPECT_EQ(failed, SIZE_MAX);
  EXPECT_EQ(copy({back.data(), b + 50}, {a + 20, a}, {10, 50}), hipSuccess);
  EXPECT_EQ(read(a, 100), host);
  Bytes halves(host.begin() + 50, host.end());
  halves.insert(halves.end(), host.begin(), host.begin() + 50);
  EXPECT_EQ(read(b, 100), halves);
  EXPECT_EQ(back, Bytes(host.begin() + 20, host.begin() + 30));
}

TEST_F(HipCopies, ABadCopyOfABatchIsNamedAndNoneOfItRuns) {
  unsigned char* const a = allocate(0, 4096);
  unsigned char* const b = allocate(count_up(4096));
  EXPECT_EQ(copy({a, a}, {b, b}, {16, 0}), hipErrorInvalidValue);
  EXPECT_EQ(failed, 1u);
  EXPECT_EQ(copy({a, a, nullptr}, {b, b, b}, {16, 16, 16}), hipErrorInvalidValue);
  EXPECT_EQ(failed, 2u);
  EXPECT_EQ(copy({a + 1, a}, {b, b}, {4096, 16}), hipErrorInvalidValue);
  EXPECT_EQ(failed, 0u);
  EXPECT_EQ(read(a, 4096), Bytes(4096, 0xee));
  EXPECT_EQ(copy({a}, {b}, {4096}), hipSuccess);
  EXPECT_EQ(read(a, 4096), count_up(4096));
}

TEST_F(HipCopies, AttributesBeginWithTheFirstCopyAndGoUp) {
  unsigned char* const a = allocate(0, 64);
  unsigned char* const b = allocate(0, 64);
  const auto stream_order = attributes_of(hipMemcpySrcAccessOrderStream);
  const auto any_order = attributes_of(hipMemcpySrcAccessOrderAny);
  const auto two = [&](std::vector<std::size_t> first_copies) {
    return copy({a, a + 8, a + 16}, {b, b, b}, {8, 8, 8}, {stream_order, any_order},
                std::move(first_copies));
  };
  EXPECT_EQ(two({0, 1}), hipSuccess);
  EXPECT_EQ(two({0, 2}), hipSuccess);
  EXPECT_EQ(two({0, 3}), hipErrorInvalidValue);
  EXPECT_EQ(two({1, 2}), hipErrorInvalidValue);
  EXPECT_EQ(two({0, 0}), hipErrorInvalidValue);
  EXPECT_EQ(copy({a}, {b}, {8}, {stream_order, any_order}, {0, 1}), hipErrorInvalidValue);
  EXPECT_EQ(copy({a}, {b}, {8}, {attributes_of(hipMemcpySrcAccessOrderInvalid)}, {0}),
            hipErrorInvalidValue);
  EXPECT_EQ(copy({a}, {b}, {8}, {attributes_of(hipMemcpySrcAccessOrderStream, 1)}, {0}),
            hipSuccess);
  EXPECT_EQ(copy({a}, {b}, {8}, {attributes_of(hipMemcpySrcAccessOrderStream, 0x200)}, {0}),
            hipErrorNotSupported);
}

TEST_F(HipCopies, PageableSourcesAreReadWhenTheirAttributeSays) {
  const auto first_byte = [&](hipMemcpySrcAccessOrder order) {
    unsigned char* const target = allocate(0, 8);
    Bytes host(8, 1);
    std::promise<void> gate;
    EXPECT_EQ(hipLaunchHostFunc(
                  stream,
                  [](void* p) { static_cast<std::promise<void>*>(p)->get_future().wait(); },
                  &gate),
              hipSuccess);
    EXPECT_EQ(copy({target}, {host.data()}, {8}, {attributes_of(order)}, {0}), hipSuccess);
    host[0] = 2;
    gate.set_value();
    return read(target, 8)[0];
  };
  EXPECT_EQ(first_byte(hipMemcpySrcAccessOrderDuringApiCall), 1);
  EXPECT_EQ(first_byte(hipMemcpySrcAccessOrderStream), 2);
}

TEST_F(HipCopies, NoStreamAndMissingListsAreErrors) {
  unsigned char* const a = allocate(0, 8);
  void* address = a;
  std::size_t size = 8;
  auto* const no_stream = reinterpret_cast<hipStream_t>(&size);
  EXPECT_EQ(hipMemcpyBatchAsync(&address, &address, &size, 1, nullptr, nullptr, 0, nullptr,
                                no_stream),
            hipErrorInvalidHandle);
  EXPECT_EQ(hipMemcpyBatchAsync(nullptr, &address, &size, 1, nullptr, nullptr, 0, nullptr, stream),
            hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyBatchAsync(&address, &address, &size, 0, nullptr, nullptr, 0, nullptr,
                                stream),
            hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyBatchAsync(&address, &address, &size, 1, nullptr, nullptr, 1, nullptr,
                                stream),
            hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyBatchAsync(&address, &address, &size, 1, nullptr, nullptr, 0, nullptr,
                                stream),
            hipSuccess);
}

TEST_F(HipCopies, ABatchOfBoxesCountsLengthsInElementsOfItsArray) {
  const hipChannelFormatDesc shorts{16, 0, 0, 0, hipChannelFormatKindUnsigned};
  hipArray_t array = nullptr;
  ASSERT_EQ(hipMallocArray(&array, &shorts, 8, 4, 0), hipSuccess);
  unsigned char* const source = allocate(count_up(40));
  unsigned char* const target = allocate(0, 12);
  hipMemcpy3DBatchOp copies[2] = {};
  // 3 x 2 shorts out of rows of 5, to (2, 1) of the array, and back packed.
  copies[0] = {pointer(source, 5), array_at(array, {2, 1, 0}), {3, 2, 1},
               hipMemcpySrcAccessOrderStream, 0};
  copies[1] = {array_at(array, {2, 1, 0}), pointer(target), {3, 2, 1},
               hipMemcpySrcAccessOrderStream, 0};
  EXPECT_EQ(hipMemcpy3DBatchAsync(2, copies, &failed, 0, stream), hipSuccess);
  EXPECT_EQ(failed, SIZE_MAX);
  EXPECT_EQ(read(target, 12), (Bytes{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15}));
  copies[1].extent.width = 7;
  EXPECT_EQ(hipMemcpy3DBatchAsync(2, copies, &failed, 0, stream), hipErrorInvalidValue);
  EXPECT_EQ(failed, 1u);
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
}

TEST_F(HipCopies, ABatchOfBoxesKeepsTheLayersOfPointersApart) {
  unsigned char* const source = allocate(count_up(24));
  unsigned char* const target = allocate(0, 8);
  // 2 x 2 x 2 bytes out of layers of 4 x 3.
  hipMemcpy3DBatchOp wanted = {pointer(source, 4, 3), pointer(target), {2, 2, 2},
                               hipMemcpySrcAccessOrderAny, 0};
  EXPECT_EQ(hipMemcpy3DBatchAsync(1, &wanted, nullptr, 0, stream), hipSuccess);
  EXPECT_EQ(read(target, 8), (Bytes{0, 1, 4, 5, 12, 13, 16, 17}));
  EXPECT_EQ(hipMemcpy3DBatchAsync(1, &wanted, nullptr, 1, stream), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy3DBatchAsync(0, &wanted, nullptr, 0, stream), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy3DBatchAsync(1, nullptr, nullptr, 0, stream), hipErrorInvalidValue);
  wanted.src.type = static_cast<hipMemcpy3DOperandType>(3);
  EXPECT_EQ(hipMemcpy3DBatchAsync(1, &wanted, &failed, 0, stream), hipErrorInvalidValue);
  EXPECT_EQ(failed, 0u);
}
