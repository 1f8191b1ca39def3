// The arrays that instructions go to are named by the kernel's pointers.
#include "hip/runtime/timed/array_names.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace wavetank::hip {
namespace {

using code_object::Argument;
using code_object::ArgumentKind;

class ArrayNames : public ::testing::Test {
 protected:
  void SetUp() override {
    auto memory = machine::DeviceMemory::reserve(std::uint64_t{1} << 30);
    ASSERT_TRUE(memory);
    memory_ = std::move(*memory);
  }

  std::uint64_t allocate(std::size_t bytes) {
    const auto memory = memory_->allocate(bytes, machine::MemoryKind::kDevice);
    EXPECT_TRUE(memory);
    return reinterpret_cast<std::uint64_t>(*memory);
  }

  void add_argument(std::string name, std::uint64_t value,
                    ArgumentKind kind = ArgumentKind::kGlobalBuffer) {
    const auto offset = static_cast<std::uint32_t>(8 * kernel_.arguments.size());
    std::memcpy(kernarg_.data() + offset, &value, sizeof value);
    kernel_.arguments.push_back({std::move(name), kind, offset, 8});
  }

  /// The array of an instruction whose lowest address is this one.
  std::string array_at(std::uint64_t address) {
    dispatch::Launch launch;
    launch.kernel = &kernel_;
    launch.kernarg = kernarg_.data();
    profile::LaunchProfile profile;
    profile.instructions.emplace_back().lowest_address = address;
    name_arrays(launch, *memory_, profile);
    bytes_ = profile.instructions.front().array_bytes;
    return profile.instructions.front().array;
  }

  std::unique_ptr<machine::DeviceMemory> memory_;
  std::uint64_t bytes_ = 0;  ///< of the array that array_at() found
  code_object::Kernel kernel_;
  std::array<std::byte, 64> kernarg_{};
};

TEST_F(ArrayNames, AnArrayReachesFromItsPointerToTheEndOfItsAllocation) {
  const std::uint64_t begin = allocate(4096);
  add_argument("in.coerce", begin + 64);
  EXPECT_EQ(array_at(begin + 64), "in") << "without clang's suffix";
  EXPECT_EQ(bytes_, 4096 - 64);
  EXPECT_EQ(array_at(begin + 4095), "in");
  EXPECT_EQ(array_at(begin + 63), "");
  EXPECT_EQ(array_at(begin + 4096), "");
}

TEST_F(ArrayNames, OfTwoPointersIntoOneAllocationTheNearestBeforeTheAddressCounts) {
  const std::uint64_t begin = allocate(4096);
  add_argument("second", begin + 2048);
  add_argument("first", begin);
  EXPECT_EQ(array_at(begin + 2047), "first");
  EXPECT_EQ(array_at(begin + 2048), "second");
}

TEST_F(ArrayNames, RangesOfArraysDoNotOverlap) {
  const std::uint64_t begin = allocate(4096);
  add_argument("second", begin + 2048);
  add_argument("first.coerce", begin);
  add_argument("also_first", begin);
  dispatch::Launch launch;
  launch.kernel = &kernel_;
  launch.kernarg = kernarg_.data();
  const auto ranges = array_ranges(launch, *memory_);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].begin + ranges[0].bytes, ranges[1].begin);
  EXPECT_EQ(ranges[1].bytes, 2048u);
  profile::LaunchProfile profile;
  profile.arrays.resize(2);
  name_arrays(launch, *memory_, profile);
  EXPECT_EQ(profile.arrays[0].name, "also_first") << "one of those that begin there";
  EXPECT_EQ(profile.arrays[1].name, "second");
  EXPECT_EQ(profile.arrays[1].bytes, 2048u);
}

TEST_F(ArrayNames, OtherArgumentsAndInstructionsWithoutAnAddressHaveNone) {
  const std::uint64_t begin = allocate(4096);
  add_argument("count", begin, ArgumentKind::kByValue);
  add_argument("nothing", 0);
  EXPECT_EQ(array_at(begin), "");
  EXPECT_EQ(array_at(0), "");
}

TEST_F(ArrayNames, WithoutNamesInTheMetadataThereIsNone) {
  const std::uint64_t begin = allocate(4096);
  add_argument("", begin);
  EXPECT_EQ(array_at(begin), "");
}

}  // namespace
}  // namespace wavetank::hip
