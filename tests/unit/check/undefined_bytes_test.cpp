#include "check/undefined/undefined_bytes.hpp"

#include <gtest/gtest.h>

#include <array>

#include "check/undefined/handed_out.hpp"

namespace wavetank::check {
namespace {

constexpr std::uint64_t kBegin = std::uint64_t{1} << 20, kBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kPage = 4096;

TEST(UndefinedBytes, BytesAreDefinedUntilSomebodySaysOtherwise) {
  UndefinedBytes bytes(kBegin, kBytes);
  EXPECT_TRUE(bytes.none());
  bytes.undefine(kBegin + 100, kBegin + 104);
  EXPECT_FALSE(bytes.any(kBegin, kBegin + 100));
  EXPECT_TRUE(bytes.any(kBegin + 99, kBegin + 101));
  EXPECT_TRUE(bytes.any(kBegin + 103, kBegin + 200));
  EXPECT_FALSE(bytes.any(kBegin + 104, kBegin + 200));
  EXPECT_EQ(bytes.find(kBegin, kBegin + 200), kBegin + 100);
  EXPECT_EQ(bytes.find_defined(kBegin + 100, kBegin + 200), kBegin + 104);
}

TEST(UndefinedBytes, PagesThatAreWrittenPieceByPieceAreDefinedInTheEnd) {
  UndefinedBytes bytes(kBegin, kBytes);
  bytes.undefine(kBegin, kBegin + 2 * kPage);
  for (std::uint64_t at = 2 * kPage; at != 0; at -= 256) {
    EXPECT_FALSE(bytes.none());
    bytes.define(kBegin + at - 256, kBegin + at);
  }
  EXPECT_TRUE(bytes.none());
}

TEST(UndefinedBytes, AnyOfSomeDwordsTellsWhatEachOfThemWould) {
  UndefinedBytes bytes(0, 4 * kPage);
  const std::uint64_t one = 1;
  for (const std::uint64_t byte : {0u, 7u, 63u, 64u, 250u, 4095u, 4096u, 9001u}) {
    bytes.undefine(byte, byte + 1);
    for (std::uint64_t dword = 0; dword < kPage; ++dword) {
      const std::uint64_t bits = one << dword % 64;
      ASSERT_EQ(bytes.any_in_dwords(dword / 64, {&bits, 1}), dword == byte / 4) << byte;
    }
    bytes.define(byte, byte + 1);
  }
  bytes.undefine(0, 2 * kPage);
  EXPECT_TRUE(bytes.any_in_dwords(20, {&one, 1}));
  EXPECT_FALSE(bytes.any_in_dwords(40, {&one, 1}));
}

TEST(UndefinedBytes, AddressesBesideItAreDefined) {
  UndefinedBytes bytes(kBegin, kPage);
  bytes.undefine(0, 4 * kBegin);
  EXPECT_TRUE(bytes.any(kBegin, kBegin + 1));
  EXPECT_FALSE(bytes.any(kBegin - 8, kBegin));
  EXPECT_FALSE(bytes.any(kBegin + kPage, kBegin + 2 * kPage));
}

TEST(UndefinedBytes, ABytesDefinedBitsAreRemembered) {
  UndefinedBytes bytes(kBegin, kBytes);
  bytes.write(kBegin, std::array<std::uint8_t, 4>{0, 0x0f, 0xff, 0}, 0);
  std::array<std::uint8_t, 4> bits = {};
  bytes.read(kBegin, bits);
  EXPECT_EQ(bits, (std::array<std::uint8_t, 4>{0, 0x0f, 0xff, 0}));
  bytes.undefine(kBegin, kBegin + 4);
  bytes.read(kBegin, bits);
  EXPECT_EQ(bits, (std::array<std::uint8_t, 4>{0xff, 0xff, 0xff, 0xff}));
}

TEST(UndefinedBytes, ACopyTakesUndefinedBitsAndTagsAlong) {
  UndefinedBytes bytes(kBegin, kBytes);
  bytes.undefine(kBegin, kBegin + 3 * kPage);
  bytes.define(kBegin + 10, kBegin + 20);
  bytes.write(kBegin + 200, std::array<std::uint8_t, 2>{0x80, 0xff}, 7);
  const std::uint64_t target = kBegin + 8 * kPage;
  bytes.copy(target, kBegin, 2 * kPage + 5);
  EXPECT_EQ(bytes.find_defined(target, target + 100), target + 10);
  EXPECT_EQ(bytes.find(target + 10, target + 100), target + 20);
  std::array<std::uint8_t, 2> bits = {};
  bytes.read(target + 200, bits);
  EXPECT_EQ(bits, (std::array<std::uint8_t, 2>{0x80, 0xff}));
  EXPECT_EQ(bytes.tag_at(target + 200), 7u);
  EXPECT_EQ(bytes.tag_at(target + 300), std::nullopt);
  EXPECT_EQ(bytes.find_defined(target + kPage, target + 4 * kPage), target + 2 * kPage + 5);
}

UndefinedStore store_of(bool computed, bool whole) {
  UndefinedStore store;
  store.origin.computed = computed;
  store.is_whole = whole;
  return store;
}

/// What is said of a copy of 256 bytes, of which a kernel stored `bytes` as undefined.
bool is_told(bool computed, bool whole, std::size_t bytes) {
  UndefinedMemory memory(kBegin, kBytes);
  const std::vector<std::uint8_t> bits(bytes, 0xff);
  memory.bytes.write(kBegin + 16, bits, memory.stores.number_of(store_of(computed, whole)));
  const ByteRange copied{kBegin, kBegin + 256};
  return find_handed_out(memory, {&copied, 1}).has_value();
}

TEST(HandedOut, PaddingIsCopiedInSilence) {
  EXPECT_FALSE(is_told(false, false, 4));
  EXPECT_FALSE(is_told(false, true, 4));
  EXPECT_FALSE(is_told(true, false, 4));
  EXPECT_FALSE(is_told(false, true, 63));
}

TEST(HandedOut, WhatWasWorkedOutOrIsLongIsTold) {
  EXPECT_TRUE(is_told(true, true, 4));
  EXPECT_TRUE(is_told(false, true, 64));
}

TEST(HandedOut, ACopyOfNothingDefinedIsTold) {
  UndefinedMemory memory(kBegin, kBytes);
  memory.bytes.undefine(kBegin, kBegin + 256);
  const ByteRange all{kBegin, kBegin + 256}, more{kBegin, kBegin + 257};
  const auto found = find_handed_out(memory, {&all, 1});
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->is_all);
  EXPECT_EQ(found->store, std::nullopt);
  EXPECT_FALSE(find_handed_out(memory, {&more, 1}).has_value());
}

}  // namespace
}  // namespace wavetank::check
