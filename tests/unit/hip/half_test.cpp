#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

extern "C" {
float __gnu_h2f_ieee(std::uint16_t half);
std::uint16_t __gnu_f2h_ieee(float single);
}

namespace {

/// What the bits of a half that is a number mean.
float value_of(std::uint16_t half) {
  const int exponent = (half >> 10) & 0x1f;
  const int fraction = half & 0x3ff;
  const auto significand = static_cast<float>(exponent == 0 ? fraction : fraction + 1024);
  const float magnitude = std::ldexp(significand, exponent == 0 ? -24 : exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

bool is_number(std::uint16_t half) { return (half & 0x7c00) != 0x7c00; }

}  // namespace

TEST(HipHalf, EveryHalfIsTheSingleOfItsValueAndComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (!is_number(half)) continue;
    const float single = __gnu_h2f_ieee(half);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(single), std::bit_cast<std::uint32_t>(value_of(half)))
        << bits;
    ASSERT_EQ(__gnu_f2h_ieee(single), half) << bits;
  }
}

TEST(HipHalf, AValueBetweenTwoHalvesGoesToTheNearerAndATieToTheEven) {
  for (std::uint16_t low = 0; low < 0x7bff; ++low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const float tie = (value_of(low) + value_of(high)) / 2;
    ASSERT_EQ(__gnu_f2h_ieee(tie), low % 2 == 0 ? low : high) << low;
    ASSERT_EQ(__gnu_f2h_ieee(std::nextafter(tie, 0.0f)), low) << low;
    ASSERT_EQ(__gnu_f2h_ieee(-std::nextafter(tie, 1e6f)), high | 0x8000) << low;
  }
}

TEST(HipHalf, ValuesBeyondTheLargestHalfAreInfinite) {
  EXPECT_EQ(__gnu_f2h_ieee(65504), 0x7bff);
  EXPECT_EQ(__gnu_f2h_ieee(std::nextafter(65520.0f, 0.0f)), 0x7bff);
  EXPECT_EQ(__gnu_f2h_ieee(65520), 0x7c00);
  EXPECT_EQ(__gnu_f2h_ieee(-std::numeric_limits<float>::infinity()), 0xfc00);
  EXPECT_EQ(__gnu_h2f_ieee(0x7c00), std::numeric_limits<float>::infinity());
}

TEST(HipHalf, ANanStaysANanOfItsSign) {
  EXPECT_EQ(__gnu_f2h_ieee(std::bit_cast<float>(0x7fc12345u)), 0x7e00);
  EXPECT_EQ(__gnu_f2h_ieee(std::bit_cast<float>(0xff800001u)), 0xfe00);
  EXPECT_TRUE(std::isnan(__gnu_h2f_ieee(0x7e00)));
  EXPECT_TRUE(std::isnan(__gnu_h2f_ieee(0xfc01)));
}
