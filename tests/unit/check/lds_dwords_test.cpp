#include "check/lds_dwords.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace wavetank::check {
namespace {

constexpr std::uint32_t kLdsBytes = 8192;

/// The dwords that were collected.
std::set<std::uint64_t> dwords_of(const LdsDwords& collected) {
  std::set<std::uint64_t> dwords;
  const DwordBits bits = collected.bits();
  for (std::size_t i = 0; i < 64 * bits.bits.size(); ++i) {
    if ((bits.bits[i / 64] >> i % 64 & 1) != 0) dwords.insert(64 * bits.first + i);
  }
  return dwords;
}

/// An access whose lanes' addresses are in a register.
struct RegisterAccess {
  RegisterAccess(unsigned bytes, std::uint64_t base) {
    step.access_bytes = bytes;
    step.address.refer(registers.data(), nullptr, base, 0xffff'ffff);
  }
  std::array<std::uint32_t, 64> registers = {};
  machine::Step step;
  LdsDwords dwords;
};

TEST(LdsDwords, AreThoseOfTheLanesThatAct) {
  RegisterAccess access(4, 16);
  for (unsigned lane = 0; lane < 64; ++lane) access.registers[lane] = 96 * lane;
  access.registers[2] = 0xffff'0000;  // does nothing
  ASSERT_TRUE(access.dwords.collect(access.step, 0b11011, kLdsBytes));
  EXPECT_EQ(dwords_of(access.dwords), (std::set<std::uint64_t>{4, 28, 76, 100}));
}

TEST(LdsDwords, AreThoseOfLanesThatFollowOrRepeatEachOther) {
  RegisterAccess access(4, 0);
  access.registers = {256, 260, 260, 264, 268, 8, 8, 12, 0, 4};
  ASSERT_TRUE(access.dwords.collect(access.step, 0x3ff, kLdsBytes));
  EXPECT_EQ(dwords_of(access.dwords), (std::set<std::uint64_t>{0, 1, 2, 3, 64, 65, 66, 67}));
}

TEST(LdsDwords, AreAllThatAnAccessTouchesAPartOf) {
  RegisterAccess access(8, 0);
  access.registers[0] = 1022;
  ASSERT_TRUE(access.dwords.collect(access.step, 1, kLdsBytes));
  EXPECT_EQ(dwords_of(access.dwords), (std::set<std::uint64_t>{255, 256, 257}));
  RegisterAccess byte(1, 3);
  ASSERT_TRUE(byte.dwords.collect(byte.step, ~std::uint64_t{0}, kLdsBytes));
  EXPECT_EQ(dwords_of(byte.dwords), (std::set<std::uint64_t>{0}));
}

TEST(LdsDwords, AreThoseOfBothAccessesOfALane) {
  RegisterAccess access(4, 4096);
  access.step.access_count = 2;
  for (const std::int64_t stride : {1024, -1024}) {
    access.step.access_stride = stride;
    ASSERT_TRUE(access.dwords.collect(access.step, 1, kLdsBytes));
    const auto second = static_cast<std::uint64_t>(1024 + stride / 4);
    EXPECT_EQ(dwords_of(access.dwords), (std::set<std::uint64_t>{1024, second}));
  }
}

TEST(LdsDwords, AreNotWorkedOutBeyondTheEnd) {
  RegisterAccess access(8, 0);
  access.registers[5] = kLdsBytes - 8;
  EXPECT_TRUE(access.dwords.collect(access.step, 1 << 5, kLdsBytes));
  access.registers[5] += 4;
  EXPECT_FALSE(access.dwords.collect(access.step, 1 << 5, kLdsBytes));
  access.registers[5] = 0xffff'fffc;
  EXPECT_FALSE(access.dwords.collect(access.step, 1 << 5, kLdsBytes));
}

}  // namespace
}  // namespace wavetank::check
