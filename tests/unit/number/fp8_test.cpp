#include "number/fp8.hpp"

#include <gtest/gtest.h>

#include "unit/number/mpfr_oracle.hpp"

namespace wavetank::number {
namespace {

using test::exact_double;

/// The value of a pattern by the formats' definition: sign, exponent field, fraction.
double defined_value(unsigned bits, int mantissa_bits, int bias) {
  const int field = static_cast<int>((bits & 0x7f) >> mantissa_bits);
  const double fraction = bits & ((1u << mantissa_bits) - 1);
  const double one = field == 0 ? 0 : 1u << mantissa_bits;
  const double size = std::ldexp(one + fraction, (field == 0 ? 1 : field) - bias - mantissa_bits);
  return (bits & 0x80) != 0 ? -size : size;
}

/// The nearest pattern by search over all values, ties to the even one; 0x80 beyond the range.
unsigned nearest_pattern(double x, int mantissa_bits, int bias) {
  if (std::isnan(x)) return 0x80;
  const double size = std::fabs(x);
  unsigned low = 0;
  while (low < 0x7f && defined_value(low + 1, mantissa_bits, bias) <= size) ++low;
  const double below = defined_value(low, mantissa_bits, bias);
  const double above = low < 0x7f ? defined_value(low + 1, mantissa_bits, bias)
                                  : 2 * below - defined_value(low - 1, mantissa_bits, bias);
  const double to_low = size - below, to_high = above - size;
  const bool up = to_high < to_low || (to_high == to_low && (low & 1) != 0);
  const unsigned chosen = low + (up ? 1 : 0);
  if (chosen > 0x7f) return 0x80;
  return chosen == 0 ? 0 : chosen | (std::signbit(x) ? 0x80 : 0);
}

TEST(Fp8, EveryPatternHasItsDefinedValueAndComesBack) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const fp8 a{static_cast<std::uint8_t>(bits)};
    const bf8 b{static_cast<std::uint8_t>(bits)};
    if (bits == 0x80) {
      EXPECT_EQ(fp8_to_f32(a).bits, 0x7fc00000u);
      EXPECT_EQ(bf8_to_f32(b).bits, 0x7fc00000u);
    } else {
      EXPECT_EQ(exact_double(fp8_to_f32(a)), defined_value(bits, 3, 8));
      EXPECT_EQ(exact_double(bf8_to_f32(b)), defined_value(bits, 2, 16));
    }
    EXPECT_EQ(f32_to_fp8(fp8_to_f32(a)).bits, bits);
    EXPECT_EQ(f32_to_bf8(bf8_to_f32(b)).bits, bits);
  }
  EXPECT_EQ(exact_double(fp8_to_f32(fp8{0x7f})), 240);
  EXPECT_EQ(exact_double(bf8_to_f32(bf8{0x7f})), 57344);
}

TEST(Fp8, SinglesBecomeTheNearestPatternTiesToEven) {
  const auto check = [](f32 a) {
    const double x = is_nan(a) ? NAN : exact_double(a);
    ASSERT_EQ(f32_to_fp8(a).bits, nearest_pattern(x, 3, 8)) << std::hexfloat << x;
    ASSERT_EQ(f32_to_bf8(a).bits, nearest_pattern(x, 2, 16)) << std::hexfloat << x;
  };
  for (std::uint64_t bits = 0; bits < 0x100000000; bits += 99991) {
    check(f32{static_cast<std::uint32_t>(bits)});
  }
  for (unsigned bits = 0; bits < 0x80; ++bits) {  // every midpoint and its neighbours
    for (const auto& [mantissa, bias] : {std::pair{3, 8}, std::pair{2, 16}}) {
      const double low = defined_value(bits, mantissa, bias);
      const double high = bits < 0x7f ? defined_value(bits + 1, mantissa, bias)
                                      : 2 * low - defined_value(bits - 1, mantissa, bias);
      const f32 middle = test::from_exact_double<f32>((low + high) / 2);
      for (const std::uint32_t pattern : {middle.bits - 1, middle.bits, middle.bits + 1}) {
        check(f32{pattern});
        check(f32{pattern | 0x80000000});
      }
    }
  }
}

TEST(Fp8, OverflowIsNanUnlessClamped) {
  const f32 infinite = infinity<f32>(true), nan = default_nan<f32>();
  EXPECT_EQ(f32_to_fp8(f32{0x43780000}).bits, 0x80u);  // 248 ties with 256
  EXPECT_EQ(f32_to_fp8(f32{0x4377ffff}).bits, 0x7fu);
  EXPECT_EQ(f32_to_fp8(f32{0x43780000}, true).bits, 0x7fu);
  EXPECT_EQ(f32_to_fp8(infinite).bits, 0x80u);
  EXPECT_EQ(f32_to_fp8(infinite, true).bits, 0xffu);
  EXPECT_EQ(f32_to_bf8(f32{0x7f7fffff}, true).bits, 0x7fu);
  EXPECT_EQ(f32_to_bf8(nan, true).bits, 0x80u);
}

TEST(Fp8, StochasticRoundingGoesUpForTheShareOfSeedsThatTheDroppedBitsSay) {
  // 1 + 3/16 of a step above 1.0 in fp8: 20 dropped bits, 3/16 of them set.
  const f32 a{0x3f800000 + (3u << 16)};
  const f32 b{0xbf800000 + (5u << 17)};  // 5/16 of a bf8 step, negative
  int up_fp8 = 0, up_bf8 = 0;
  for (std::uint32_t i = 0; i < 4096; ++i) {
    const std::uint32_t seed = i << 20;
    const auto x = f32_to_fp8_stochastic(a, seed).bits;
    const auto y = f32_to_bf8_stochastic(b, seed).bits;
    ASSERT_TRUE(x == 0x40 || x == 0x41);
    ASSERT_TRUE(y == 0xc0 || y == 0xc1);
    up_fp8 += x == 0x41;
    up_bf8 += y == 0xc1;
  }
  EXPECT_EQ(up_fp8, 4096 * 3 / 16);
  EXPECT_EQ(up_bf8, 4096 * 5 / 16);
}

TEST(Fp8, StochasticRoundingKeepsExactValuesCarriesIntoTheExponentAndTruncatesForSeedZero) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const fp8 a{static_cast<std::uint8_t>(bits)};
    EXPECT_EQ(f32_to_fp8_stochastic(fp8_to_f32(a), 0xffffffff).bits, bits);
    const bf8 b{static_cast<std::uint8_t>(bits)};
    EXPECT_EQ(f32_to_bf8_stochastic(bf8_to_f32(b), 0xffffffff).bits, bits);
  }
  EXPECT_EQ(f32_to_fp8_stochastic(f32{0x3fffffff}, 0).bits, 0x47u);
  EXPECT_EQ(f32_to_fp8_stochastic(f32{0x3fffffff}, 0xffffffff).bits, 0x48u);
  EXPECT_EQ(f32_to_fp8_stochastic(f32{0x437fffff}, 0xffffffff).bits, 0x80u);
  EXPECT_EQ(f32_to_fp8_stochastic(f32{0x437fffff}, 0).bits, 0x7fu);
}

}  // namespace
}  // namespace wavetank::number
