#include "number/divide.hpp"

#include <gtest/gtest.h>

#include "number/convert.hpp"
#include "number/transcendental.hpp"
#include "unit/number/mpfr_oracle.hpp"

namespace wavetank::number {
namespace {

/// The instruction sequence that LLVM emits for a correctly rounded f32 division
/// (SITargetLowering::LowerFDIV32), in a wave with denormals.
f32 divide(f32 n, f32 d) {
  const FloatMode mode;
  const f32 one{Format<f32>::kOne};
  const auto [ds, unused] = div_scale(d, d, n, mode);
  const auto [ns, vcc] = div_scale(n, d, n, mode);
  const f32 r0 = rcp(ds, mode);
  const f32 r1 = fma(fma(negate(ds), r0, one, mode), r0, r0, mode);
  const f32 q0 = mul(ns, r1, mode);
  const f32 q1 = fma(fma(negate(ds), q0, ns, mode), r1, q0, mode);
  const f32 residual = fma(negate(ds), q1, ns, mode);
  return div_fixup(div_fmas(residual, r1, q1, vcc, mode), d, n, mode);
}

/// Likewise for f64 (SITargetLowering::LowerFDIV64).
f64 divide(f64 n, f64 d) {
  const FloatMode mode;
  const f64 one{Format<f64>::kOne};
  const auto [ds, unused] = div_scale(d, d, n, mode);
  const auto [ns, vcc] = div_scale(n, d, n, mode);
  const f64 r0 = rcp(ds, mode);
  const f64 r1 = fma(r0, fma(negate(ds), r0, one, mode), r0, mode);
  const f64 r2 = fma(r1, fma(negate(ds), r1, one, mode), r1, mode);
  const f64 q = mul(ns, r2, mode);
  const f64 residual = fma(negate(ds), q, ns, mode);
  return div_fixup(div_fmas(residual, r2, q, vcc, mode), d, n, mode);
}

/// And for f16 (SITargetLowering::LowerFDIV16): by way of f32.
f16 divide(f16 n, f16 d) {
  const FloatMode mode;
  const f32 q = mul(f16_to_f32(n), rcp(f16_to_f32(d), mode), mode);
  return div_fixup(f32_to_f16(q, mode, mode), d, n, mode);
}

template <Float T>
T expected_quotient(T n, T d) {
  if (is_nan(n)) return quiet(n);
  if (is_nan(d)) return quiet(d);
  const bool invalid = (is_zero(n) && is_zero(d)) || (is_infinite(n) && is_infinite(d));
  return invalid ? negate(default_nan<T>()) : test::reference_div(n, d, Round::kNearestEven);
}

template <class T>
class Division : public testing::Test {};
using Formats = testing::Types<f32, f64>;
TYPED_TEST_SUITE(Division, Formats);

TYPED_TEST(Division, TheCompilersSequenceRoundsEveryQuotientOfTheGridCorrectly) {
  const auto grid = test::value_grid<TypeParam>(60);
  for (const TypeParam n : grid) {
    for (const TypeParam d : grid) {
      ASSERT_EQ(divide(n, d).bits, expected_quotient(n, d).bits)
          << std::hex << +n.bits << " / " << +d.bits;
    }
  }
}

TYPED_TEST(Division, TheCompilersSequenceRoundsQuotientsOfEveryExponentPairCorrectly) {
  using F = Format<TypeParam>;
  test::Random random(11);
  const int step = F::kMaxExponent > 300 ? 13 : 1;
  for (int en = 0; en < F::kMaxExponent; en += step) {
    for (int ed = 0; ed < F::kMaxExponent; ed += step) {
      const auto make = [&](int exponent) {
        const std::uint64_t bits = random.next();
        // Every fourth fraction has few bits, which makes exact quotients and ties likely.
        std::uint64_t fraction = bits & F::kMantissaMask;
        if (bits >> 62 == 0) fraction &= ~(F::kMantissaMask >> 5);
        return from_bits<TypeParam>((static_cast<std::uint64_t>(exponent) << F::kMantissaBits) |
                                    fraction | ((bits >> 61 & 1) != 0 ? F::kSign : 0));
      };
      const TypeParam n = make(en), d = make(ed);
      ASSERT_EQ(divide(n, d).bits, expected_quotient(n, d).bits)
          << std::hex << +n.bits << " / " << +d.bits;
    }
  }
}

TEST(DivisionF16, TheCompilersSequenceRoundsCorrectly) {
  const auto grid = test::value_grid<f16>(200);
  for (const f16 n : grid) {
    for (const f16 d : grid) {
      ASSERT_EQ(divide(n, d).bits, expected_quotient(n, d).bits)
          << std::hex << n.bits << " / " << d.bits;
    }
  }
}

TEST(DivScale, ScalesWhatTheQuotientNeedsAndSaysSo) {
  const auto value = [](int exponent) {
    return test::from_exact_double<f32>(std::ldexp(1.0, exponent));
  };
  const auto check = [&](int scaled, int d, int n, int expected, bool vcc) {
    const auto result = div_scale(value(scaled), value(d), value(n), {});
    EXPECT_EQ(result.value.bits, value(expected).bits) << scaled << ' ' << d << ' ' << n;
    EXPECT_EQ(result.vcc, vcc) << scaled << ' ' << d << ' ' << n;
  };
  check(0, 1, 0, 0, false);       // ordinary operands stay
  check(1, 1, 0, 1, false);
  check(0, 0, 95, 0, false);      // exponents 95 apart: nothing
  check(0, 0, 96, 64, true);      // 96 apart: the denominator goes up
  check(96, 0, 96, 96, true);
  check(127, 127, 64, 63, false); // a tiny reciprocal: both go down
  check(64, 127, 64, 0, false);
  check(127, 127, 0, 63, true);   // and a tiny quotient: only the denominator
  check(0, 127, 0, 0, true);
  check(-126, 0, -126, -62, true);  // a tiny quotient: the numerator goes up
  check(0, 0, -126, 0, true);
  check(-130, -130, -100, -66, false);  // a denormal denominator: both go up
  check(-104, -1, -104, -40, false);    // a tiny numerator: both go up
  check(-103, -1, -103, -103, false);
  EXPECT_TRUE(is_nan(div_scale(f32{0}, f32{0}, value(0), {}).value));
  EXPECT_TRUE(div_scale(f32{0}, f32{0}, value(0), {}).vcc);
}

TEST(DivFmas, ScalesByTwoToThe64InTheDirectionOfTheEstimate) {
  const f32 one{0x3f800000}, two{0x40000000}, below_two{0x3fffffff};
  EXPECT_EQ(div_fmas(one, one, two, false, {}).bits, 0x40400000u);
  EXPECT_EQ(div_fmas(one, one, two, true, {}).bits, 0x60400000u);       // 3 * 2^64
  EXPECT_EQ(div_fmas(one, f32{0}, below_two, true, {}).bits, 0x1fffffffu);
  const f64 one64{0x3ff0000000000000}, two64{0x4000000000000000};
  EXPECT_EQ(div_fmas(one64, one64, two64, true, {}).bits, 0x4808000000000000u);  // 3 * 2^128
}

TEST(DivFixup, SpecialOperandsDecideAndOtherwiseOnlyTheSignChanges) {
  const f32 one{0x3f800000}, zero{0}, inf{0x7f800000}, nan{0x7fa00001}, q{0xc0a00000};
  const f32 minus_one{0xbf800000};
  EXPECT_EQ(div_fixup(q, one, one, {}).bits, 0x40a00000u);
  EXPECT_EQ(div_fixup(q, minus_one, one, {}).bits, 0xc0a00000u);
  EXPECT_EQ(div_fixup(q, nan, one, {}).bits, 0x7fe00001u);
  EXPECT_EQ(div_fixup(q, one, nan, {}).bits, 0x7fe00001u);
  EXPECT_EQ(div_fixup(q, zero, zero, {}).bits, 0xffc00000u);
  EXPECT_EQ(div_fixup(q, inf, inf, {}).bits, 0xffc00000u);
  EXPECT_EQ(div_fixup(q, zero, minus_one, {}).bits, 0xff800000u);
  EXPECT_EQ(div_fixup(q, minus_one, inf, {}).bits, 0xff800000u);
  EXPECT_EQ(div_fixup(q, inf, minus_one, {}).bits, 0x80000000u);
  EXPECT_EQ(div_fixup(q, one, f32{0x80000000}, {}).bits, 0x80000000u);
  EXPECT_EQ(div_fixup(nan, one, minus_one, {}).bits, 0xff800000u);  // a failed estimate overflows
  EXPECT_EQ(div_fixup(nan, one, one, {Round::kZero}).bits, 0x7f7fffffu);
  // Exponents more than 150 apart underflow, in the direction of the rounding.
  const f32 big{0x7f000000}, near_enough{0x34000000}, too_small{0x33800000};
  EXPECT_EQ(div_fixup(one, big, near_enough, {}).bits, one.bits);
  EXPECT_EQ(div_fixup(one, big, too_small, {}).bits, 0u);
  EXPECT_EQ(div_fixup(one, big, too_small, {Round::kUp}).bits, 1u);
}

}  // namespace
}  // namespace wavetank::number
