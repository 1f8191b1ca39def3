#include "base/zeroed_array.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace wavetank {
namespace {

/// Bytes of this process that lie in memory (proc(5), statm).
std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all_pages = 0, resident_pages = 0;
  file >> all_pages >> resident_pages;
  EXPECT_TRUE(file);
  return resident_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(ZeroedArray, HoldsZerosUntilTheyAreWrittenAndAgainWhenItIsCleared) {
  for (const std::size_t count : {1u, 100u, 5000u, 200000u}) {
    ZeroedArray<std::uint64_t> array(count);
    const auto all_are = [&](std::uint64_t value) {
      return std::all_of(array.data(), array.data() + array.size(),
                         [=](std::uint64_t one) { return one == value; });
    };
    EXPECT_EQ(array.size(), count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0u);
    EXPECT_TRUE(all_are(0));
    std::fill_n(array.data(), count, 7);
    array.clear();
    EXPECT_TRUE(all_are(0));
  }
}

TEST(ZeroedArray, CanBeHandedOn) {
  ZeroedArray<int> small(3), large(100000);
  small[2] = 5;
  large[99999] = 6;
  ZeroedArray<int> taken(1);
  taken = std::move(small);
  EXPECT_EQ(taken[2], 5);
  taken = std::move(large);
  EXPECT_EQ(taken.size(), 100000u);
  EXPECT_EQ(taken[99999], 6);
}

TEST(ZeroedArray, TakesMemoryWhereItIsTouched) {
  constexpr std::size_t kCount = 5000, kArrays = 400;
  std::vector<ZeroedArray<std::uint64_t>> arrays;
  const std::size_t before = resident_bytes();
  for (std::size_t i = 0; i < kArrays; ++i) arrays.emplace_back(kCount);
  // AddressSanitizer's shadow, an eighth of what is mapped, may lie in memory.
  EXPECT_LT(resident_bytes() - before, kArrays * kCount * sizeof(std::uint64_t) / 4);
}

}  // namespace
}  // namespace wavetank
