#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <array>
#include <numeric>
#include <vector>

namespace {

/// Device memory that frees itself.
class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t size) {
    EXPECT_EQ(hipMalloc(reinterpret_cast<void**>(&memory_), size), hipSuccess);
  }
  ~DeviceBytes() { EXPECT_EQ(hipFree(memory_), hipSuccess); }
  unsigned char* get() const { return memory_; }

 private:
  unsigned char* memory_ = nullptr;
};

std::vector<unsigned char> count_up(std::size_t size) {
  std::vector<unsigned char> bytes(size);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
  return bytes;
}

}  // namespace

TEST(HipCopy, BytesGoToTheDeviceAndBack) {
  const auto source = count_up(1000);
  std::vector<unsigned char> target(1000);
  const DeviceBytes a(1000);
  const DeviceBytes b(1000);
  EXPECT_EQ(hipMemcpy(a.get(), source.data(), 1000, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemcpy(b.get(), a.get(), 1000, hipMemcpyDeviceToDevice), hipSuccess);
  EXPECT_EQ(hipMemcpy(target.data(), b.get(), 1000, hipMemcpyDefault), hipSuccess);
  EXPECT_EQ(target, source);
}

TEST(HipCopy, NullPointersAndUnknownDirectionsAreErrorsButZeroBytesAreNot) {
  const DeviceBytes memory(16);
  char host[16] = {};
  EXPECT_EQ(hipMemcpy(nullptr, host, 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(memory.get(), nullptr, 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpy(memory.get(), host, 16, static_cast<hipMemcpyKind>(9)),
            hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(hipMemcpy(nullptr, nullptr, 0, hipMemcpyHostToDevice), hipSuccess);
}

TEST(HipCopy, TheEndOfAnAllocationIsTheLastByteThatMayBeCopied) {
  const DeviceBytes memory(4096);
  std::vector<unsigned char> host(5000);
  EXPECT_EQ(hipMemcpy(memory.get(), host.data(), 4096, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemcpy(memory.get() + 1, host.data(), 4096, hipMemcpyHostToDevice),
            hipErrorInvalidValue);
}

TEST(HipCopy, AnAsynchronousCopyHasReadPageableMemoryWhenTheCallReturns) {
  const DeviceBytes memory(64);
  std::vector<unsigned char> host = count_up(64);
  ASSERT_EQ(hipMemcpyAsync(memory.get(), host.data(), 64, hipMemcpyHostToDevice, nullptr),
            hipSuccess);
  std::fill(host.begin(), host.end(), static_cast<unsigned char>(0xee));
  EXPECT_EQ(hipMemcpy(host.data(), memory.get(), 64, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(host, count_up(64));
}

TEST(HipCopy, RowsOfDifferentPitchesKeepWhatLiesBetweenThem) {
  const DeviceBytes memory(3 * 16);
  EXPECT_EQ(hipMemset(memory.get(), 0xff, 48), hipSuccess);
  const auto rows = count_up(12);
  EXPECT_EQ(hipMemcpy2D(memory.get(), 16, rows.data(), 4, 4, 3, hipMemcpyHostToDevice),
            hipSuccess);
  std::array<unsigned char, 48> back{};
  EXPECT_EQ(hipMemcpy(back.data(), memory.get(), 48, hipMemcpyDeviceToHost), hipSuccess);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 16; ++column) {
      EXPECT_EQ(back[row * 16 + column], column < 4 ? row * 4 + column : 0xff);
    }
  }
  EXPECT_EQ(hipMemcpy2D(memory.get(), 3, rows.data(), 4, 4, 3, hipMemcpyHostToDevice),
            hipErrorInvalidPitchValue);
}

TEST(HipCopy, FillsComeInThreeElementSizes) {
  const DeviceBytes memory(12);
  std::array<std::uint32_t, 3> back{};
  const auto read = [&] {
    EXPECT_EQ(hipMemcpy(back.data(), memory.get(), 12, hipMemcpyDeviceToHost), hipSuccess);
    return back;
  };
  EXPECT_EQ(hipMemsetD8(memory.get(), 0x5a, 12), hipSuccess);
  EXPECT_EQ(read(), (std::array{0x5a5a5a5au, 0x5a5a5a5au, 0x5a5a5a5au}));
  EXPECT_EQ(hipMemsetD16(memory.get(), 0x1234, 4), hipSuccess);
  EXPECT_EQ(read(), (std::array{0x12341234u, 0x12341234u, 0x5a5a5a5au}));
  EXPECT_EQ(hipMemsetD32(memory.get(), 0x01020304, 1), hipSuccess);
  EXPECT_EQ(read(), (std::array{0x01020304u, 0x12341234u, 0x5a5a5a5au}));
  char host[4];
  EXPECT_EQ(hipMemset(host, 0, 4), hipErrorInvalidValue);
}

TEST(HipCopy, ABoxIsCopiedOutOfALargerOne) {
  const auto volume = count_up(4 * 3 * 2);
  const DeviceBytes memory(2 * 2 * 2);
  hipMemcpy3DParms parameters{};
  parameters.srcPtr = make_hipPitchedPtr(const_cast<unsigned char*>(volume.data()), 4, 4, 3);
  parameters.srcPos = make_hipPos(1, 1, 0);
  parameters.dstPtr = make_hipPitchedPtr(memory.get(), 2, 2, 2);
  parameters.extent = make_hipExtent(2, 2, 2);
  parameters.kind = hipMemcpyHostToDevice;
  EXPECT_EQ(hipMemcpy3D(&parameters), hipSuccess);
  std::array<unsigned char, 8> back{};
  EXPECT_EQ(hipMemcpy(back.data(), memory.get(), 8, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(back, (std::array<unsigned char, 8>{5, 6, 9, 10, 17, 18, 21, 22}));
}

TEST(HipCopy, AnArrayKeepsRowsOfElements) {
  const hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  hipArray_t array = nullptr;
  ASSERT_EQ(hipMallocArray(&array, &format, 4, 3, hipArrayDefault), hipSuccess);
  std::array<float, 12> values{};
  std::iota(values.begin(), values.end(), 0.0f);
  EXPECT_EQ(hipMemcpy2DToArray(array, 0, 0, values.data(), 16, 16, 3, hipMemcpyHostToDevice),
            hipSuccess);
  std::array<float, 2> corner{};
  EXPECT_EQ(hipMemcpy2DFromArray(corner.data(), 8, array, 8, 2, 8, 1, hipMemcpyDeviceToHost),
            hipSuccess);
  EXPECT_EQ(corner, (std::array{10.0f, 11.0f}));
  EXPECT_EQ(hipMemcpy2DToArray(array, 4, 0, values.data(), 16, 16, 3, hipMemcpyHostToDevice),
            hipErrorInvalidValue);
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
  EXPECT_EQ(hipFreeArray(array), hipErrorContextIsDestroyed);
}

TEST(HipCopy, ALinearCopyOfAnArrayStaysInItsFirstRow) {
  const hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  hipArray_t array = nullptr;
  ASSERT_EQ(hipMallocArray(&array, &format, 4, 3, hipArrayDefault), hipSuccess);
  std::array<float, 12> values{};
  std::iota(values.begin(), values.end(), 1.0f);
  EXPECT_EQ(hipMemcpyHtoA(array, 0, values.data(), 16), hipSuccess);
  EXPECT_EQ(hipMemcpyHtoA(array, 0, values.data(), 17), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyHtoA(array, 4, values.data(), 16), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyHtoA(array, 0, values.data(), 48), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyHtoA(nullptr, 0, values.data(), 16), hipErrorInvalidValue);
  std::array<float, 2> back{};
  EXPECT_EQ(hipMemcpyAtoH(back.data(), array, 8, 8), hipSuccess);
  EXPECT_EQ(back, (std::array{3.0f, 4.0f}));
  EXPECT_EQ(hipMemcpyAtoH(back.data(), nullptr, 0, 8), hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyAtoH(values.data(), array, 0, 48), hipErrorInvalidValue);
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
}

TEST(HipCopy, AnOldLinearCopyOfAnArrayGoesOnInTheNextRow) {
  const hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  hipArray_t array = nullptr;
  ASSERT_EQ(hipMallocArray(&array, &format, 4, 3, hipArrayDefault), hipSuccess);
  std::array<float, 12> values{};
  std::iota(values.begin(), values.end(), 1.0f);
  EXPECT_EQ(hipMemcpyToArray(array, 0, 0, values.data(), 48, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipMemcpyToArray(array, 0, 0, values.data(), 49, hipMemcpyHostToDevice),
            hipErrorInvalidValue);
  EXPECT_EQ(hipMemcpyToArray(array, 4, 0, values.data(), 48, hipMemcpyHostToDevice),
            hipErrorInvalidValue);
  std::array<float, 12> back{};
  EXPECT_EQ(hipMemcpyFromArray(back.data(), array, 0, 0, 48, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(back, values);
  std::array<float, 2> across{};
  EXPECT_EQ(hipMemcpyFromArray(across.data(), array, 12, 1, 8, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(across, (std::array{8.0f, 9.0f}));
  EXPECT_EQ(hipMemcpyFromArray(back.data(), array, 12, 1, 24, hipMemcpyDeviceToHost),
            hipErrorInvalidValue);
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
}

TEST(HipCopy, ADriverCopyWithAPitchBelowItsWidthIsAnInvalidValue) {
  const auto rows = count_up(12);
  const DeviceBytes memory(12);
  hip_Memcpy2D copy{};
  copy.srcMemoryType = hipMemoryTypeHost;
  copy.srcHost = rows.data();
  copy.srcPitch = 4;
  copy.dstMemoryType = hipMemoryTypeDevice;
  copy.dstDevice = memory.get();
  copy.dstPitch = 4;
  copy.WidthInBytes = 4;
  copy.Height = 3;
  EXPECT_EQ(hipMemcpyParam2D(&copy), hipSuccess);
  copy.dstPitch = 3;
  EXPECT_EQ(hipMemcpyParam2D(&copy), hipErrorInvalidValue);
  copy.dstPitch = 4;
  copy.srcPitch = 3;
  EXPECT_EQ(hipMemcpyParam2DAsync(&copy, nullptr), hipErrorInvalidValue);
}

TEST(HipCopy, AFillOfRowsBeyondThePitchIsAnInvalidValue) {
  const DeviceBytes memory(12);
  EXPECT_EQ(hipMemset2D(memory.get(), 4, 1, 4, 3), hipSuccess);
  EXPECT_EQ(hipMemset2D(memory.get(), 3, 1, 4, 3), hipErrorInvalidValue);
  EXPECT_EQ(hipMemset2D(memory.get(), 4, 1, 4, 4), hipErrorInvalidValue);
}
