#include "check/undefined/host_writes.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace wavetank::check {
namespace {

constexpr std::uint64_t kBytes = 3 * 4096;

/// An allocation of a device in which nothing has a value.
class FreshMemory : public ::testing::Test {
 protected:
  FreshMemory()
      : memory_(std::move(*machine::DeviceMemory::reserve(1 << 20))),
        address_(*memory_->allocate(kBytes, machine::MemoryKind::kDevice)),
        begin_(reinterpret_cast<std::uint64_t>(address_)),
        bytes_(memory_->arena_begin(), 1 << 20) {
    bytes_.undefine(begin_, begin_ + kBytes);
  }
  bool is_undefined_after_a_look() {
    HostWrites(bytes_).look(*memory_->find(address_), begin_);
    return bytes_.any(begin_, begin_ + kBytes);
  }

  std::unique_ptr<machine::DeviceMemory> memory_;
  std::byte* address_;
  std::uint64_t begin_;
  UndefinedBytes bytes_;
};

TEST_F(FreshMemory, StaysUndefinedWhileNobodyWrites) { EXPECT_TRUE(is_undefined_after_a_look()); }

TEST_F(FreshMemory, IsDefinedAsAWholeOnceTheHostHasWrittenAByteThatIsNotZero) {
  address_[kBytes - 1] = std::byte{1};
  EXPECT_FALSE(is_undefined_after_a_look());
}

TEST_F(FreshMemory, WhatKernelsStoredIsNotTheHosts) {
  std::memset(address_, 1, 128);
  bytes_.define(begin_, begin_ + 64);
  const std::uint8_t undefined[4] = {255, 255, 255, 255};
  bytes_.write(begin_ + 64, undefined, 7);
  bytes_.write(begin_ + 124, undefined, 8);
  EXPECT_TRUE(is_undefined_after_a_look()) << "two stores of undefined data to one line";
}

TEST_F(FreshMemory, IsLookedAtOnce) {
  HostWrites writes(bytes_);
  writes.look(*memory_->find(address_), begin_);
  address_[0] = std::byte{1};
  writes.look(*memory_->find(address_), begin_);
  EXPECT_TRUE(bytes_.any(begin_, begin_ + kBytes));
}

}  // namespace
}  // namespace wavetank::check
