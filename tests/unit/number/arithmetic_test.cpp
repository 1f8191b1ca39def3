#include "number/arithmetic.hpp"

#include <gtest/gtest.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "number/host_float.hpp"
#include "unit/number/mpfr_oracle.hpp"

namespace wavetank::number {
namespace {

using test::kRounds;

template <class T>
class Arithmetic : public testing::Test {};
using Formats = testing::Types<f16, f32, f64>;
TYPED_TEST_SUITE(Arithmetic, Formats);

/// The documented NaN rule, stated a second time: first NaN operand, quieted.
template <Float T>
bool expected_nan(std::initializer_list<T> operands, T& expected) {
  for (const T a : operands) {
    const auto size = a.bits & ~Format<T>::kSign;
    if (size > Format<T>::kInfinity) {
      expected = from_bits<T>(std::uint64_t{a.bits} | Format<T>::kQuietBit);
      return true;
    }
  }
  return false;
}

TYPED_TEST(Arithmetic, SumsAndProductsOfTheGridAreThoseOfMpfrInEveryRounding) {
  const auto grid = test::value_grid<TypeParam>(24);
  for (const Round round : kRounds) {
    const FloatMode mode{round};
    for (const TypeParam a : grid) {
      for (const TypeParam b : grid) {
        TypeParam sum, product;
        if (!expected_nan({a, b}, sum)) {
          sum = test::reference_add(a, b, round);
          product = test::reference_mul(a, b, round);
        } else {
          product = sum;
        }
        ASSERT_EQ(add(a, b, mode).bits, sum.bits) << std::hex << +a.bits << " + " << +b.bits;
        ASSERT_EQ(mul(a, b, mode).bits, product.bits) << std::hex << +a.bits << " * " << +b.bits;
        ASSERT_EQ(exact::add(a, b, mode).bits, sum.bits);
        ASSERT_EQ(exact::mul(a, b, mode).bits, product.bits);
      }
    }
  }
}

TYPED_TEST(Arithmetic, FusedMultiplyAddsOfTheGridAreThoseOfMpfrInEveryRounding) {
  const auto grid = test::value_grid<TypeParam>(6);
  for (const Round round : kRounds) {
    const FloatMode mode{round};
    for (const TypeParam a : grid) {
      for (const TypeParam b : grid) {
        for (const TypeParam c : grid) {
          TypeParam expected;
          if (!expected_nan({a, b, c}, expected)) {
            expected = test::reference_fma(a, b, c, round);
          }
          ASSERT_EQ(fma(a, b, c, mode).bits, expected.bits)
              << std::hex << +a.bits << " * " << +b.bits << " + " << +c.bits;
          ASSERT_EQ(exact::fma(a, b, c, mode).bits, expected.bits);
        }
      }
    }
  }
}

TYPED_TEST(Arithmetic, FusedMultiplyAddsThatNearlyCancelAreThoseOfMpfr) {
  using F = Format<TypeParam>;
  test::Random random(7);
  for (int i = 0; i < 60000; ++i) {
    const auto a = from_bits<TypeParam>(random.next());
    const auto b = from_bits<TypeParam>(random.next());
    if (is_nan(a) || is_nan(b)) continue;
    auto c = test::reference_mul(a, b, Round::kNearestEven);
    if (is_nan(c)) continue;
    c = from_bits<TypeParam>(c.bits ^ F::kSign ^ (random.next() % 3));
    if (is_nan(c)) continue;
    const Round round = kRounds[i % 4];
    ASSERT_EQ(fma(a, b, c, FloatMode{round}).bits, test::reference_fma(a, b, c, round).bits)
        << std::hex << +a.bits << " * " << +b.bits << " + " << +c.bits;
  }
}

TYPED_TEST(Arithmetic, FlushedOperandsAreZerosOfTheirSignAndFlushedResultsToo) {
  const auto grid = test::value_grid<TypeParam>(8, false);
  for (int flags = 1; flags < 4; ++flags) {
    for (const Round round : kRounds) {
      FloatMode mode{round};
      mode.flush_input_denormals = (flags & 1) != 0;
      mode.flush_output_denormals = (flags & 2) != 0;
      const auto in = [&](TypeParam v) {
        return mode.flush_input_denormals && is_denormal(v)
                   ? from_bits<TypeParam>(v.bits & Format<TypeParam>::kSign) : v;
      };
      const auto out = [&](TypeParam v) {
        return mode.flush_output_denormals && is_denormal(v)
                   ? from_bits<TypeParam>(v.bits & Format<TypeParam>::kSign) : v;
      };
      for (const TypeParam a : grid) {
        for (const TypeParam b : grid) {
          ASSERT_EQ(add(a, b, mode).bits, out(test::reference_add(in(a), in(b), round)).bits);
          ASSERT_EQ(mul(a, b, mode).bits, out(test::reference_mul(in(a), in(b), round)).bits);
          ASSERT_EQ(fma(a, b, a, mode).bits,
                    out(test::reference_fma(in(a), in(b), in(a), round)).bits);
        }
      }
    }
  }
}

TYPED_TEST(Arithmetic, ADifferenceIsTheSumWithTheNegatedOperandAndKeepsANansSign) {
  const auto grid = test::value_grid<TypeParam>(4);
  for (const TypeParam a : grid) {
    for (const TypeParam b : grid) {
      TypeParam expected;
      if (!expected_nan({a, b}, expected)) expected = test::reference_add(a, negate(b), {});
      ASSERT_EQ(sub(a, b, {}).bits, expected.bits);
    }
  }
}

TEST(ArithmeticF32, TheFirstNanOperandWinsQuietedWithItsPayload) {
  const f32 signaling{0x7fa00001}, quiet_nan{0xffc00002}, one{0x3f800000};
  EXPECT_EQ(add(signaling, quiet_nan, {}).bits, 0x7fe00001u);
  EXPECT_EQ(add(quiet_nan, signaling, {}).bits, 0xffc00002u);
  EXPECT_EQ(fma(one, one, signaling, {}).bits, 0x7fe00001u);
  EXPECT_EQ(fma(infinity<f32>(false), f32{0}, quiet_nan, {}).bits, 0xffc00002u);
  EXPECT_EQ(add(infinity<f32>(false), infinity<f32>(true), {}).bits, 0x7fc00000u);
}

TEST(ArithmeticF32, FmaRoundsOnceWhereDoublePrecisionWouldRoundTwice) {
  // a * b = 2^-150 - 2^-196 and c is an odd denormal: rounded to double the sum is the tie above c.
  const f32 a{0x1a000001}, b{0x19fffffe}, c{0x00400001};
  EXPECT_EQ(fma(a, b, c, {}).bits, 0x00400001u);
  EXPECT_EQ(test::reference_fma(a, b, c, Round::kNearestEven).bits, 0x00400001u);
  const double sum = test::exact_double(a) * test::exact_double(b) + test::exact_double(c);
  EXPECT_EQ(from_host(static_cast<float>(sum)).bits, 0x00400002u);
}

TEST(ArithmeticF32, LegacyProductsOfZeroArePositiveZeroWhateverTheOtherOperand) {
  for (const f32 other : test::value_grid<f32>(4)) {
    EXPECT_EQ(mul_legacy(f32{0x80000000}, other, {}).bits, 0u);
    EXPECT_EQ(mul_legacy(other, f32{0}, {}).bits, 0u);
  }
  EXPECT_EQ(mul_legacy(f32{0x40000000}, f32{0x40400000}, {}).bits, 0x40c00000u);
  EXPECT_EQ(mad_legacy(f32{0x7f800000}, f32{0}, f32{0x3f800000}, {}).bits, 0x3f800000u);
}

TEST(ArithmeticF32, MadRoundsTheProductAndFlushesDenormalsWhateverTheMode) {
  const f32 one_up{0x3f800001};
  // (1 + 2^-23)^2 rounds to 1 + 2^-22; fused, 2^-46 survives.
  EXPECT_EQ(mad(one_up, one_up, f32{0xbf800002}, {}).bits, 0u);
  EXPECT_EQ(fma(one_up, one_up, f32{0xbf800002}, {}).bits, 0x28800000u);
  EXPECT_EQ(mad(f32{0x3f800000}, f32{0x00400000}, f32{0}, {}).bits, 0u);
  EXPECT_EQ(mad(f32{0x3f800000}, f32{0x3f800000}, f32{0x807fffff}, {}).bits, 0x3f800000u);
}

TEST(ArithmeticF16, TheDoubleFormAgreesWithTheIntegerFormOnRandomOperands) {
  test::Random random(16);
  for (int i = 0; i < 2000000; ++i) {
    const std::uint64_t bits = random.next();
    const auto a = from_bits<f16>(bits), b = from_bits<f16>(bits >> 16);
    // Half of the sums nearly cancel the product.
    const f16 product = exact::mul(a, b, {});
    const auto c = from_bits<f16>(i % 2 == 0 ? bits >> 32
                                             : (product.bits ^ 0x8000u) + ((bits >> 32) & 3));
    FloatMode mode;
    mode.flush_output_denormals = i % 3 == 0;
    ASSERT_EQ(add(a, b, mode), exact::add(a, b, mode)) << std::hex << a.bits << " + " << b.bits;
    ASSERT_EQ(mul(a, b, mode), exact::mul(a, b, mode)) << std::hex << a.bits << " * " << b.bits;
    ASSERT_EQ(fma(a, b, c, mode), exact::fma(a, b, c, mode))
        << std::hex << a.bits << " * " << b.bits << " + " << c.bits;
  }
}

TEST(ArithmeticF16, MadRoundsTheProductAndKeepsDenormalsIfTheModeDoes) {
  EXPECT_EQ(mad(f16{0x3c01}, f16{0x3c01}, f16{0xbc02}, {}).bits, 0u);
  EXPECT_EQ(mad(f16{0x3c00}, f16{0x0001}, f16{0}, {}).bits, 1u);
}

#if defined(__SSE__)
TEST(HostFloatDefaults, KeepDenormalsAndNearestRoundingInAThreadThatFlushesAndRoundsUp) {
  constexpr unsigned kFlushAndRoundUp = 0x8040 | 0x4000;
  const unsigned found = _mm_getcsr();
  _mm_setcsr(found | kFlushAndRoundUp);
  f32 half_denormal, one_and_a_bit;
  {
    const HostFloatDefaults defaults;
    half_denormal = mul(f32{0x00800000}, f32{0x3f000000}, {});
    one_and_a_bit = add(f32{0x3f800000}, f32{0x2f800000}, {});
  }
  const unsigned restored = _mm_getcsr();
  _mm_setcsr(found);
  EXPECT_EQ(half_denormal.bits, 0x00400000u);
  EXPECT_EQ(one_and_a_bit.bits, 0x3f800000u);
  EXPECT_EQ(restored & kFlushAndRoundUp, kFlushAndRoundUp);
}
#endif

}  // namespace
}  // namespace wavetank::number
