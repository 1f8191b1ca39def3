#include "check/bounds_check.hpp"

#include <gtest/gtest.h>

namespace wavetank::check {
namespace {

/// A device with one allocation of 100 bytes.
class OneAllocation : public ::testing::Test {
 protected:
  OneAllocation() : memory_(std::move(*machine::DeviceMemory::reserve(1 << 20))) {
    memory_->keep_freed_addresses();
    begin_ = reinterpret_cast<std::uint64_t>(*memory_->allocate(100, machine::MemoryKind::kDevice));
  }
  OutOfBounds look(std::int64_t first, std::int64_t end) {
    const auto at = [&](std::int64_t byte) { return begin_ + static_cast<std::uint64_t>(byte); };
    return check_.look(*memory_, {at(first), at(end), 0, 4}, 0);
  }

  std::unique_ptr<machine::DeviceMemory> memory_;
  std::uint64_t begin_ = 0;
  BoundsCheck check_;
};

TEST_F(OneAllocation, ItsLastByteIsInBoundsAndTheNextIsNot) {
  EXPECT_FALSE(look(0, 100).found);
  const OutOfBounds beyond = look(96, 101);
  EXPECT_TRUE(beyond.found);
  EXPECT_EQ(beyond.address, begin_ + 100);
  EXPECT_EQ(reinterpret_cast<std::uint64_t>(beyond.near.address), begin_);
}

TEST_F(OneAllocation, WhatIsBeforeItIsNobodys) {
  const OutOfBounds before = look(-4, 0);
  EXPECT_TRUE(before.found);
  EXPECT_EQ(before.address, begin_ - 4);
  EXPECT_EQ(before.near.size_bytes, 0u);
}

TEST_F(OneAllocation, WhatIsRememberedOfItEndsWithIt) {
  EXPECT_FALSE(look(0, 4).found);
  EXPECT_TRUE(look(100, 104).found);
  EXPECT_FALSE(look(4, 8).found);
}

TEST_F(OneAllocation, WhatIsFreedSaysSo) {
  ASSERT_TRUE(memory_->free(reinterpret_cast<void*>(begin_)));
  const OutOfBounds freed = look(8, 12);
  EXPECT_TRUE(freed.found);
  EXPECT_TRUE(freed.freed);
  EXPECT_EQ(freed.near.size_bytes, 100u);
}

}  // namespace
}  // namespace wavetank::check
