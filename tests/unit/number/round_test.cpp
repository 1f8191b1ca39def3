#include "number/round.hpp"

#include <gtest/gtest.h>

#include "unit/number/mpfr_oracle.hpp"

namespace wavetank::number {
namespace {

using test::exact_double;
using test::kRounds;

template <Float T, class Check>
void for_each_value(Check check) {
  if constexpr (sizeof(T) == 2) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) check(from_bits<T>(bits));
  } else {
    for (const T a : test::value_grid<T>(4000)) check(a);
    for (int halves = -9; halves <= 9; ++halves) {
      check(test::from_exact_double<T>(halves / 2.0));
      check(test::from_exact_double<T>(halves / 2.0 + 0x1p-20));
    }
  }
}

template <class T>
class Rounding : public testing::Test {};
using Formats = testing::Types<f16, f32, f64>;
TYPED_TEST_SUITE(Rounding, Formats);

TYPED_TEST(Rounding, IntegralValuesAreThoseOfMpfr) {
  using T = TypeParam;
  for_each_value<T>([](T a) {
    const T expected_nan = quiet(a);
    const double x = is_nan(a) ? 0 : exact_double(a);
    const auto check = [&](T result, double expected) {
      const T bits = is_nan(a) ? expected_nan : test::from_exact_double<T>(expected);
      EXPECT_EQ(result.bits, bits.bits) << std::hex << +a.bits;
    };
    check(trunc(a, {}), std::trunc(x));
    check(ceil(a, {}), std::ceil(x));
    check(floor(a, {}), std::floor(x));
    check(rndne(a, {}), std::nearbyint(x));
  });
}

TYPED_TEST(Rounding, FlushingMakesDenormalsRoundAsZero) {
  using T = TypeParam;
  FloatMode mode;
  mode.flush_input_denormals = true;
  const T tiny{1}, negative = negate(tiny);
  EXPECT_EQ(ceil(tiny, {}).bits, Format<T>::kOne);
  EXPECT_EQ(ceil(tiny, mode).bits, 0u);
  EXPECT_EQ(floor(negative, {}).bits, Format<T>::kOne | Format<T>::kSign);
  EXPECT_EQ(floor(negative, mode).bits, Format<T>::kSign);
}

TYPED_TEST(Rounding, FractionsAreRoundedDifferencesFromTheFloorAndStayBelowOne) {
  using T = TypeParam;
  for (const Round round : kRounds) {
    const FloatMode mode{round};
    for_each_value<T>([&](T a) {
      const T result = fract(a, mode);
      if (is_nan(a)) {
        ASSERT_EQ(result.bits, quiet(a).bits);
      } else if (is_infinite(a)) {
        ASSERT_EQ(result.bits, default_nan<T>().bits);
      } else {
        const T whole = test::from_exact_double<T>(std::floor(exact_double(a)));
        const T difference = test::reference_add(a, negate(whole), round);
        const T below_one = from_bits<T>(Format<T>::kOne - 1u);
        const T expected = exact_double(difference) >= 1 ? below_one : difference;
        ASSERT_EQ(result.bits, expected.bits) << std::hex << +a.bits;
      }
    });
  }
}

TYPED_TEST(Rounding, FrexpSplitsEveryValueIntoAHalfToOneAndAnExponent) {
  using T = TypeParam;
  for_each_value<T>([](T a) {
    const T mantissa = frexp_mant(a, {});
    const int exponent = frexp_exp(a, {});
    if (is_nan(a) || is_infinite(a) || is_zero(a)) {
      EXPECT_EQ(mantissa.bits, is_nan(a) ? quiet(a).bits : a.bits);
      EXPECT_EQ(exponent, 0);
      return;
    }
    int expected = 0;
    EXPECT_EQ(exact_double(mantissa), std::frexp(exact_double(a), &expected));
    EXPECT_EQ(exponent, expected);
  });
}

TYPED_TEST(Rounding, LdexpRoundsOnceIntoTheDenormalsAndOverflowsAsTheModeSays) {
  using T = TypeParam;
  static test::Real x;
  const auto grid = test::value_grid<T>(200, false);
  for (const Round round : kRounds) {
    for (const T a : grid) {
      for (const int exponent : {-2147483647, -3000, -1100, -130, -24, -1, 0, 1, 7, 40, 1500}) {
        test::assign(x, a);
        const T expected = test::rounded<T>(round, [&](mpfr_t r, mpfr_rnd_t m) {
          return mpfr_mul_2si(r, x.v, exponent < -5000 ? -5000 : exponent, m);
        });
        ASSERT_EQ(ldexp(a, exponent, FloatMode{round}).bits, expected.bits)
            << std::hex << +a.bits << std::dec << " * 2^" << exponent;
      }
    }
  }
}

TEST(RoundTo, TiesGoToEvenAndStickyBitsBreakThem) {
  // 2^24 + 1 lies between two f32 values; one more bit decides.
  EXPECT_EQ((round_to<f32>(false, 0, std::uint64_t{(1 << 24) + 1}, {}).bits), 0x4b800000u);
  EXPECT_EQ((round_to<f32>(false, -1, std::uint64_t{(1 << 25) + 3}, {}).bits), 0x4b800001u);
  EXPECT_EQ((round_to<f32>(false, 0, std::uint64_t{(1 << 24) + 3}, {}).bits), 0x4b800002u);
}

TEST(RoundTo, ADenormalResultIsFlushedOnlyIfItIsStillDenormalAfterRounding) {
  FloatMode mode;
  mode.flush_output_denormals = true;
  const std::uint64_t below = (std::uint64_t{1} << 25) - 1;  // rounds up to the least normal
  EXPECT_EQ((round_to<f32>(false, -151, below, mode).bits), 0x00800000u);
  EXPECT_EQ((round_to<f32>(true, -149, std::uint64_t{0x7fffff}, mode).bits), 0x80000000u);
}

}  // namespace
}  // namespace wavetank::number
