#include "number/compare.hpp"

#include <gtest/gtest.h>

#include "unit/number/mpfr_oracle.hpp"

namespace wavetank::number {
namespace {

using test::exact_double;

template <class T>
class Comparison : public testing::Test {};
using Formats = testing::Types<f16, f32, f64>;
TYPED_TEST_SUITE(Comparison, Formats);

TYPED_TEST(Comparison, PredicatesAgreeWithTheHostsComparisons) {
  using T = TypeParam;
  const auto grid = test::value_grid<T>(40);
  for (const T a : grid) {
    for (const T b : grid) {
      const double x = is_nan(a) ? NAN : exact_double(a);
      const double y = is_nan(b) ? NAN : exact_double(b);
      const bool unordered = std::isnan(x) || std::isnan(y);
      const bool expected[16] = {
          false, x < y, x == y, x <= y, x > y, x < y || x > y, x >= y, !unordered,
          unordered, !(x >= y), !(x < y || x > y), !(x > y), !(x <= y), !(x == y), !(x < y), true};
      for (int p = 0; p < 16; ++p) {
        ASSERT_EQ(compare(static_cast<FloatCompare>(p), a, b, {}), expected[p])
            << p << std::hex << " " << +a.bits << " " << +b.bits;
      }
    }
  }
}

TYPED_TEST(Comparison, FlushedDenormalsCompareEqualToZero) {
  using T = TypeParam;
  FloatMode mode;
  const T denormal{1}, zero{0};
  EXPECT_TRUE(compare(FloatCompare::kGt, denormal, zero, mode));
  mode.flush_input_denormals = true;
  EXPECT_FALSE(compare(FloatCompare::kGt, denormal, zero, mode));
  EXPECT_TRUE(compare(FloatCompare::kEq, denormal, negate(zero), mode));
}

TYPED_TEST(Comparison, MinAndMaxPreferNumbersOverQuietNansAndOrderTheZeros) {
  using T = TypeParam;
  const auto grid = test::value_grid<T>(40);
  for (const T a : grid) {
    for (const T b : grid) {
      if (is_nan(a) || is_nan(b)) continue;
      const bool swap = exact_double(a) > exact_double(b) ||
                        (is_zero(a) && is_zero(b) && is_negative(b));
      ASSERT_EQ(min(a, b, {}).bits, swap ? b.bits : a.bits);
      const bool keep = exact_double(a) > exact_double(b) ||
                        (is_zero(a) && is_zero(b) && !is_negative(a)) || a == b;
      ASSERT_EQ(max(a, b, {}).bits, keep ? a.bits : b.bits) << std::hex << +a.bits << +b.bits;
    }
    const T quiet_nan = from_bits<T>(Format<T>::kDefaultNan | 3u);
    if (!is_nan(a)) {
      EXPECT_EQ(min(a, quiet_nan, {}).bits, a.bits);
      EXPECT_EQ(max(quiet_nan, a, {}).bits, a.bits);
    }
  }
}

TYPED_TEST(Comparison, OnlyIeeeModeReturnsASignallingNanQuieted) {
  using T = TypeParam;
  const T signaling = from_bits<T>(Format<T>::kInfinity | 5u);
  const T one = from_bits<T>(Format<T>::kOne);
  FloatMode ieee, dx;
  dx.ieee = false;
  EXPECT_EQ(min(signaling, one, ieee).bits, quiet(signaling).bits);
  EXPECT_EQ(max(one, signaling, ieee).bits, quiet(signaling).bits);
  EXPECT_EQ(min(signaling, one, dx).bits, one.bits);
  EXPECT_EQ(max(one, signaling, dx).bits, one.bits);
  EXPECT_EQ(med3(one, signaling, one, ieee).bits, one.bits);  // min3: the quiet NaN loses again
  EXPECT_EQ(med3(one, one, signaling, ieee).bits, quiet(signaling).bits);
}

TYPED_TEST(Comparison, TheMedianIsTheMiddleOfThreeNumbersInAnyOrder) {
  using T = TypeParam;
  const auto grid = test::value_grid<T>(4, false);
  for (const T a : grid) {
    for (const T b : grid) {
      for (const T c : grid) {
        double v[3] = {exact_double(a), exact_double(b), exact_double(c)};
        std::sort(v, v + 3);
        ASSERT_EQ(exact_double(med3(a, b, c, {})), v[1]);
        ASSERT_EQ(exact_double(min3(a, b, c, {})), v[0]);
        ASSERT_EQ(exact_double(max3(a, b, c, {})), v[2]);
      }
    }
  }
}

TYPED_TEST(Comparison, ClampStopsAtPositiveZeroAndOneAndDx10ClampZeroesNan) {
  using T = TypeParam;
  const T one = from_bits<T>(Format<T>::kOne), above{static_cast<decltype(T::bits)>(one.bits + 1)};
  const T below{static_cast<decltype(T::bits)>(one.bits - 1)};
  const T nan = from_bits<T>(Format<T>::kDefaultNan | 1u);
  FloatMode keep;
  keep.dx10_clamp = false;
  EXPECT_EQ(clamp(above, {}).bits, one.bits);
  EXPECT_EQ(clamp(below, {}).bits, below.bits);
  EXPECT_EQ(clamp(negate(below), {}).bits, 0u);
  EXPECT_EQ(clamp(signed_zero<T>(true), {}).bits, 0u);
  EXPECT_EQ(clamp(nan, {}).bits, 0u);
  EXPECT_EQ(clamp(nan, keep).bits, nan.bits);
  EXPECT_EQ(clamp(infinity<T>(false), {}).bits, one.bits);
}

TEST(OutputModifier, OmodScalesOnlyWithoutIeeeModeAndWithFlushedResults) {
  const f32 three{0x40400000};
  FloatMode active;
  active.ieee = false;
  active.flush_output_denormals = true;
  EXPECT_EQ(omod(three, 0, active).bits, three.bits);
  EXPECT_EQ(omod(three, 1, active).bits, 0x40c00000u);
  EXPECT_EQ(omod(three, 2, active).bits, 0x41400000u);
  EXPECT_EQ(omod(three, 3, active).bits, 0x3fc00000u);
  EXPECT_EQ(omod(f32{0x00800000}, 3, active).bits, 0u);
  FloatMode ieee = active, denormals = active;
  ieee.ieee = true;
  denormals.flush_output_denormals = false;
  EXPECT_EQ(omod(three, 1, ieee).bits, three.bits);
  EXPECT_EQ(omod(three, 1, denormals).bits, three.bits);
}

TYPED_TEST(Comparison, EveryValueHasExactlyOneClass) {
  using T = TypeParam;
  const auto expect = [](std::uint64_t bits, unsigned bit) {
    EXPECT_TRUE(cmp_class(from_bits<T>(bits), 1u << bit)) << bit;
    EXPECT_FALSE(cmp_class(from_bits<T>(bits), 0x3ffu & ~(1u << bit))) << bit;
  };
  using F = Format<T>;
  expect(F::kInfinity | 1u, 0);
  expect(F::kDefaultNan, 1);
  expect(F::kInfinity | std::uint64_t{F::kSign}, 2);
  expect(F::kMaxFinite | std::uint64_t{F::kSign}, 3);
  expect(F::kHidden | std::uint64_t{F::kSign}, 3);
  expect((F::kHidden - 1u) | std::uint64_t{F::kSign}, 4);
  expect(1u | std::uint64_t{F::kSign}, 4);
  expect(F::kSign, 5);
  expect(0, 6);
  expect(1, 7);
  expect(F::kHidden - 1u, 7);
  expect(F::kHidden, 8);
  expect(F::kMaxFinite, 8);
  expect(F::kInfinity, 9);
}

TEST(IntegerComparison, PredicatesFollowTheTypesSignedness) {
  EXPECT_TRUE(compare(IntegerCompare::kLt, -1, 0));
  EXPECT_FALSE(compare(IntegerCompare::kLt, 0xffffffffu, 0u));
  EXPECT_TRUE(compare(IntegerCompare::kGe, std::uint16_t{0x8000}, std::uint16_t{0x7fff}));
  EXPECT_FALSE(compare(IntegerCompare::kGe, std::int16_t{-32768}, std::int16_t{32767}));
  EXPECT_TRUE(compare(IntegerCompare::kNe, 1LL << 40, 0LL));
  EXPECT_TRUE(compare(IntegerCompare::kT, 1, 2));
  EXPECT_FALSE(compare(IntegerCompare::kF, 1, 1));
}

}  // namespace
}  // namespace wavetank::number
