#include "hip/hostcall/printf_format.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

namespace {

using wavetank::hip::format_device_printf;

std::vector<std::uint64_t> text_words(const char* text) {
  std::vector<std::uint64_t> words(std::strlen(text) / 8 + 1);
  std::memcpy(words.data(), text, std::strlen(text));
  return words;
}

}  // namespace

TEST(DevicePrintf, TextWithoutSpecifiersIsKept) {
  EXPECT_EQ(format_device_printf("100%% done\n", {}), "100% done\n");
}

TEST(DevicePrintf, IntegersAreReadByTheirConversion) {
  const std::vector<std::uint64_t> words = {static_cast<std::uint64_t>(-5), 255, 7, 'x'};
  EXPECT_EQ(format_device_printf("%d %#x %04u %c", words), "-5 0xff 0007 x");
}

TEST(DevicePrintf, LongIntegersKeepAll64Bits) {
  const std::vector<std::uint64_t> words = {1ull << 40, ~0ull, 1ull << 40};
  EXPECT_EQ(format_device_printf("%lld %lu %d", words), "1099511627776 18446744073709551615 0");
}

TEST(DevicePrintf, FloatsArePassedAsDoubles) {
  const std::vector<std::uint64_t> words = {std::bit_cast<std::uint64_t>(1.5),
                                            std::bit_cast<std::uint64_t>(-0.25)};
  EXPECT_EQ(format_device_printf("%.2f|%8.3e", words), "1.50|-2.500e-01");
}

TEST(DevicePrintf, StringsArePaddedToWordsAndAStarTakesAWord) {
  std::vector<std::uint64_t> words = text_words("a string");
  ASSERT_EQ(words.size(), 2u);
  words.push_back(6);
  words.push_back(42);
  EXPECT_EQ(format_device_printf("[%s] [%*d]", words), "[a string] [    42]");
}

TEST(DevicePrintf, MissingArgumentsEndTheText) {
  EXPECT_EQ(format_device_printf("a %d b %d c", std::vector<std::uint64_t>{1}), "a 1 b ");
  EXPECT_EQ(format_device_printf("%*d", std::vector<std::uint64_t>{1}), "");
  EXPECT_EQ(format_device_printf("end %", {}), "end ");
}

TEST(DevicePrintf, AnUnterminatedStringEndsWithItsWords) {
  const std::vector<std::uint64_t> words = {0x6161616161616161};
  EXPECT_EQ(format_device_printf("%s", words), "aaaaaaaa");
}
