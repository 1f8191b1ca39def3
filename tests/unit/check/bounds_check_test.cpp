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
  std::uint64_t at(std::int64_t byte) const { return begin_ + static_cast<std::uint64_t>(byte); }
  OutOfBounds look(std::int64_t first, std::int64_t end) {
    return check_.look(*memory_, {at(first), at(end), 0, 4}, 0);
  }
  /// The same through a pointer.
  OutOfBounds look_from(std::int64_t pointer, std::int64_t first, std::int64_t end) {
    return check_.look(*memory_, {at(first), at(end), 0, 4}, at(pointer));
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

TEST_F(OneAllocation, ItIsNotNearAPointerOfTheHost) {
  const int of_host = 0;
  const auto address = reinterpret_cast<std::uint64_t>(&of_host);
  ASSERT_GE(address, memory_->arena_end()) << "the stack lies behind what is mapped";
  const OutOfBounds found = check_.look(*memory_, {address, address + 4, 0, 4}, 0);
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.address, address);
  EXPECT_EQ(found.near.size_bytes, 0u);
}

TEST_F(OneAllocation, WhatIsRememberedOfItEndsWithIt) {
  EXPECT_FALSE(look(0, 4).found);
  EXPECT_TRUE(look(100, 104).found);
  EXPECT_FALSE(look(4, 8).found);
}

/// One variable, of bytes 40 to 60 of the allocation.
struct OneVariable final : Variables {
  std::optional<Extent> variable_at(std::uint64_t address) const override {
    return address - variable.begin < variable.size_bytes ? std::optional(variable) : std::nullopt;
  }
  bool has_variable_in(const Extent& bytes) const override {
    return variable.begin - bytes.begin < bytes.size_bytes;
  }
  Extent variable;
};

TEST_F(OneAllocation, APointerToItsBeginMayGoNowhereElseAndOneIntoItSaysNothing) {
  const auto other =
      reinterpret_cast<std::uint64_t>(*memory_->allocate(8, machine::MemoryKind::kDevice));
  const auto beside = static_cast<std::int64_t>(other - begin_);
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(look_from(0, 4, 8).found);
    EXPECT_FALSE(look_from(8, 4, 8).found);
    EXPECT_TRUE(look_from(0, beside, beside + 4).elsewhere);
    EXPECT_FALSE(look_from(8, beside, beside + 4).found);
  }
}

TEST_F(OneAllocation, APointerToAVariableMayNotLeaveIt) {
  OneVariable variables;
  variables.variable = {begin_ + 40, 20};
  check_.know(&variables);
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(look_from(0, 0, 8).found);
    EXPECT_FALSE(look_from(40, 40, 60).found);
    EXPECT_FALSE(look_from(44, 40, 60).found);
    EXPECT_TRUE(look_from(40, 64, 68).found) << "though it is the same allocation";
    EXPECT_TRUE(look_from(40, 56, 64).found);
  }
}

TEST_F(OneAllocation, OfThatWithTheArgumentsAKernelMayTouchNothingElse) {
  check_.know_arguments({begin_ + 40, 20});
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(look(40, 60).found);
    EXPECT_FALSE(look_from(40, 56, 60).found);
    for (const std::int64_t wild : {0, 36, 60, 96}) {
      const OutOfBounds beside = look_from(40, wild, wild + 4);
      EXPECT_TRUE(beside.found);
      EXPECT_TRUE(beside.of_arguments);
      EXPECT_EQ(reinterpret_cast<std::uint64_t>(beside.near.address), begin_ + 40);
      EXPECT_EQ(beside.near.size_bytes, 20u);
      EXPECT_TRUE(look(wild, wild + 4).of_arguments) << "without a pointer in scalar registers";
    }
    const OutOfBounds across = look(56, 64);
    EXPECT_TRUE(across.of_arguments);
    EXPECT_EQ(across.address, begin_ + 60);
  }
  EXPECT_TRUE(look(-4, 0).of_arguments) << "before the allocation";
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
