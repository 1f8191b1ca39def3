#include "number/transcendental.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "unit/number/mpfr_oracle.hpp"

namespace wavetank::number {
namespace {

using test::exact_double;

using Reference = std::function<int(mpfr_t, mpfr_srcptr, mpfr_rnd_t)>;

int reference_rcp(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_ui_div(r, 1, x, m); }
int reference_rsq(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_rec_sqrt(r, x, m); }
int reference_sqrt(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_sqrt(r, x, m); }
int reference_exp2(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_exp2(r, x, m); }
int reference_log2(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_log2(r, x, m); }

/// sin or cos of 2 pi x: x mod 1 is exact, so 400 bits of pi leave nothing to chance.
int reference_turn(bool cosine, mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) {
  static test::Real angle(400), pi(400), fraction(400);
  mpfr_frac(fraction.v, x, MPFR_RNDN);
  mpfr_const_pi(pi.v, MPFR_RNDN);
  mpfr_mul(angle.v, fraction.v, pi.v, MPFR_RNDN);
  mpfr_mul_2si(angle.v, angle.v, 1, MPFR_RNDN);
  // A whole number of quarter turns is exact.
  mpfr_mul_2si(fraction.v, fraction.v, 2, MPFR_RNDN);
  if (mpfr_integer_p(fraction.v)) {
    const long quarter = ((mpfr_get_si(fraction.v, MPFR_RNDN) + (cosine ? 1 : 0)) % 4 + 4) % 4;
    return mpfr_set_si(r, quarter == 1 ? 1 : (quarter == 3 ? -1 : 0), m);
  }
  return cosine ? mpfr_cos(r, angle.v, m) : mpfr_sin(r, angle.v, m);
}
int reference_sin(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return reference_turn(false, r, x, m); }
int reference_cos(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return reference_turn(true, r, x, m); }

/// Distance of a result from the exact value in units of the result's last place.
template <Float T>
double error_in_ulps(T result, T operand, const Reference& reference) {
  static test::Real x, exact(200), difference(200);
  test::assign(x, operand);
  reference(exact.v, x.v, MPFR_RNDN);
  mpfr_set_d(difference.v, exact_double(result), MPFR_RNDN);
  mpfr_sub(difference.v, difference.v, exact.v, MPFR_RNDN);
  const long exponent = mpfr_get_exp(exact.v) - 1;
  const long least = 1 - Format<T>::kBias;
  const long last = (exponent < least ? least : exponent) - Format<T>::kMantissaBits;
  mpfr_mul_2si(difference.v, difference.v, -last, MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference.v, MPFR_RNDN));
}

/// Every finite f16 operand for which the function is a number rounds correctly.
void expect_halves(f16 (*function)(f16, const FloatMode&), const Reference& reference,
                   bool positive_only, double range = 1e9) {
  static test::Real x;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const f16 a{static_cast<std::uint16_t>(bits)};
    if (is_nan(a) || is_infinite(a) || is_zero(a) || (positive_only && is_negative(a))) continue;
    if (std::fabs(exact_double(a)) > range) continue;
    test::assign(x, a);
    const f16 expected = test::rounded<f16>(
        Round::kNearestEven, [&](mpfr_t r, mpfr_rnd_t m) { return reference(r, x.v, m); });
    const f16 result = function(a, {});
    if (is_zero(expected) && is_zero(result)) continue;
    ASSERT_EQ(result.bits, expected.bits) << std::hex << bits;
  }
}

TEST(TranscendentalF16, EveryResultIsCorrectlyRounded) {
  expect_halves(rcp, reference_rcp, false);
  expect_halves(rsq, reference_rsq, true);
  expect_halves(sqrt, reference_sqrt, true);
  expect_halves(exp2, reference_exp2, false);
  expect_halves(log2, reference_log2, true);
  expect_halves(sin, reference_sin, false);
  expect_halves(cos, reference_cos, false);
}

/// The worst error over a sample of f32 operands whose operand and result are normal.
double worst_single(f32 (*function)(f32, const FloatMode&), const Reference& reference,
                    std::uint32_t first, std::uint32_t last, std::uint32_t step) {
  double worst = 0;
  for (std::uint64_t bits = first; bits < last; bits += step) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      const f32 a{static_cast<std::uint32_t>(bits) | sign};
      const f32 result = function(a, {});
      if (is_nan(result) || is_infinite(result) || is_zero(result)) continue;
      worst = std::max(worst, error_in_ulps(result, a, reference));
    }
  }
  return worst;
}

TEST(TranscendentalF32, ResultsAreWithinAHairOfCorrectRounding) {
  constexpr std::uint32_t kLeast = 0x00800000, kInfinite = 0x7f800000, kRange = 0x4b800000;
  constexpr double kBound = 0.5 + 1e-6;
  const std::pair<const char*, double> errors[] = {
      {"rcp", worst_single(rcp, reference_rcp, kLeast, kInfinite, 15013)},
      {"rsq", worst_single(rsq, reference_rsq, kLeast, kInfinite, 15013)},
      {"sqrt", worst_single(sqrt, reference_sqrt, kLeast, kInfinite, 15013)},
      {"exp2", worst_single(exp2, reference_exp2, 0x30000000, 0x43200000, 3001)},
      {"log2", worst_single(log2, reference_log2, kLeast, kInfinite, 30011)},
      {"log2 near 1", worst_single(log2, reference_log2, 0x3f700000, 0x3f880000, 97)},
      {"sin", worst_single(sin, reference_sin, 0x20000000, kRange, 15013)},
      {"cos", worst_single(cos, reference_cos, 0x20000000, kRange, 15013)}};
  for (const auto& [name, worst] : errors) {
    RecordProperty(name, std::to_string(worst));
    EXPECT_LE(worst, kBound) << name;
  }
}

TEST(TranscendentalF64, ReciprocalsAndRootsAreWithinAHairOfCorrectRounding) {
  test::Random random(5);
  double rcp_error = 0, rsq_error = 0, sqrt_error = 0;
  for (int i = 0; i < 100000; ++i) {
    const f64 a{random.next() >> 1};
    if (is_nan(a) || is_infinite(a) || is_zero(a)) continue;
    const f64 inverse = rcp(a, {});
    if (!is_infinite(inverse)) {
      rcp_error = std::max(rcp_error, error_in_ulps(inverse, a, reference_rcp));
    }
    rsq_error = std::max(rsq_error, error_in_ulps(rsq(a, {}), a, reference_rsq));
    sqrt_error = std::max(sqrt_error, error_in_ulps(sqrt(a, {}), a, reference_sqrt));
  }
  for (const std::uint64_t denormal : {1u, 2u, 3u, 0x12345u}) {
    const f64 a{denormal};
    rsq_error = std::max(rsq_error, error_in_ulps(rsq(a, {}), a, reference_rsq));
  }
  EXPECT_LE(rcp_error, 0.5);
  EXPECT_LE(rsq_error, 0.5 + 1e-12);
  EXPECT_LE(sqrt_error, 0.5);
}

template <Float T>
void expect_special_cases() {
  using F = Format<T>;
  const T zero{}, minus_zero = negate(zero), one = from_bits<T>(F::kOne), minus_one = negate(one);
  const T inf = infinity<T>(false), minus_inf = infinity<T>(true);
  const T invalid = negate(default_nan<T>());
  const T signaling = from_bits<T>(F::kInfinity | F::kSign | 1u);
  for (T (*function)(T, const FloatMode&) : {static_cast<T (*)(T, const FloatMode&)>(rcp),
                                             static_cast<T (*)(T, const FloatMode&)>(rsq)}) {
    EXPECT_EQ(function(zero, {}), inf);
    EXPECT_EQ(function(minus_zero, {}), minus_inf);
    EXPECT_EQ(function(one, {}), one);
    EXPECT_EQ(function(inf, {}), zero);
    EXPECT_EQ(function(signaling, {}), quiet(signaling));
  }
  EXPECT_EQ(rcp(minus_inf, {}), minus_zero);
  EXPECT_EQ(rsq(minus_inf, {}), invalid);
  EXPECT_EQ(rsq(minus_one, {}), invalid);
  EXPECT_EQ(sqrt(minus_zero, {}), minus_zero);
  EXPECT_EQ(sqrt(minus_one, {}), invalid);
  EXPECT_EQ(sqrt(minus_inf, {}), invalid);
  EXPECT_EQ(sqrt(inf, {}), inf);
  EXPECT_EQ(sqrt(signaling, {}), quiet(signaling));
}

TEST(Transcendental, SpecialOperandsOfReciprocalsAndRoots) {
  expect_special_cases<f16>();
  expect_special_cases<f32>();
  expect_special_cases<f64>();
}

template <Float T>
void expect_exponential_and_trigonometric_cases() {
  using F = Format<T>;
  const auto number = [](double value) { return test::from_exact_double<T>(value); };
  const T invalid = negate(default_nan<T>());
  const T signaling = from_bits<T>(F::kInfinity | 1u);
  EXPECT_EQ(exp2(infinity<T>(false), {}), infinity<T>(false));
  EXPECT_EQ(exp2(infinity<T>(true), {}), number(0));
  EXPECT_EQ(exp2(number(0), {}), number(1));
  EXPECT_EQ(exp2(number(-3), {}), number(0.125));
  EXPECT_EQ(exp2(from_bits<T>(F::kMaxFinite), {}), infinity<T>(false));
  EXPECT_EQ(exp2(from_bits<T>(F::kMaxFinite | F::kSign), {}), number(0));
  EXPECT_EQ(log2(number(-0.0), {}), infinity<T>(true));
  EXPECT_EQ(log2(number(-1), {}), invalid);
  EXPECT_EQ(log2(number(1), {}), number(0));
  EXPECT_EQ(log2(number(1024), {}), number(10));
  EXPECT_EQ(log2(infinity<T>(false), {}), infinity<T>(false));
  EXPECT_EQ(sin(number(-0.0), {}), number(-0.0));
  EXPECT_EQ(sin(number(0.25), {}), number(1));
  EXPECT_EQ(sin(number(-0.75), {}), number(1));
  EXPECT_EQ(cos(number(0.5), {}), number(-1));
  EXPECT_EQ(cos(number(256), {}), number(1));
  EXPECT_EQ(sin(number(256.25), {}), number(1));
  EXPECT_EQ(cos(number(-256.5), {}), number(-1));
  EXPECT_EQ(sin(number(-1), {}), number(0));  // only -0 gives -0
  EXPECT_EQ(sin(number(-0.5), {}), number(0));
  EXPECT_EQ(sin(from_bits<T>(F::kMaxFinite | F::kSign), {}), number(0));
  EXPECT_EQ(cos(from_bits<T>(F::kMaxFinite | F::kSign), {}), number(1));
  for (T (*function)(T, const FloatMode&) : {static_cast<T (*)(T, const FloatMode&)>(sin),
                                             static_cast<T (*)(T, const FloatMode&)>(cos)}) {
    EXPECT_EQ(function(infinity<T>(true), {}), invalid);
    EXPECT_EQ(function(signaling, {}), quiet(signaling));
  }
  EXPECT_EQ(exp2(signaling, {}), quiet(signaling));
  EXPECT_EQ(log2(signaling, {}), quiet(signaling));
}

TEST(Transcendental, SpecialOperandsOfExponentialsAndTrigonometry) {
  expect_exponential_and_trigonometric_cases<f16>();
  expect_exponential_and_trigonometric_cases<f32>();
}

TEST(TranscendentalF32, DenormalsCountAsZeroWhateverTheMode) {
  const f32 denormal{0x007fffff}, least{0x00800000};
  EXPECT_EQ(rcp(denormal, {}).bits, 0x7f800000u);
  EXPECT_EQ(rcp(least, {}).bits, 0x7e800000u);
  EXPECT_EQ(rcp(f32{0x7e800000}, {}).bits, 0x00800000u);
  EXPECT_EQ(rcp(f32{0xfe800001}, {}).bits, 0x80000000u);
  EXPECT_EQ(rsq(denormal, {}).bits, 0x7f800000u);
  EXPECT_EQ(sqrt(negate(denormal), {}).bits, 0x80000000u);
  EXPECT_EQ(log2(denormal, {}).bits, 0xff800000u);
  EXPECT_EQ(log2(least, {}).bits, 0xc2fc0000u);      // -126
  EXPECT_EQ(exp2(f32{0xc2fc0000}, {}).bits, 0x00800000u);
  EXPECT_EQ(exp2(f32{0xc2fc0001}, {}).bits, 0u);
}

TEST(TranscendentalF16, DenormalsFollowTheMode) {
  FloatMode flush;
  flush.flush_input_denormals = flush.flush_output_denormals = true;
  EXPECT_EQ(sqrt(f16{0x0001}, {}).bits, 0x0c00u);
  EXPECT_EQ(sqrt(f16{0x0001}, flush).bits, 0u);
  EXPECT_EQ(exp2(f16{0xcc00}, {}).bits, 0x0100u);  // 2^-16
  EXPECT_EQ(exp2(f16{0xcc00}, flush).bits, 0u);
}

TEST(TrigPreop, ThreeSegmentsAddUpToTwoOverPi) {
  static test::Real sum(400), expected(400), part(400);
  mpfr_set_zero(sum.v, 1);
  for (unsigned segment = 0; segment < 3; ++segment) {
    mpfr_set_d(part.v, to_host(trig_preop(f64{0x3ff0000000000000}, segment)), MPFR_RNDN);
    mpfr_add(sum.v, sum.v, part.v, MPFR_RNDN);
  }
  mpfr_const_pi(expected.v, MPFR_RNDN);
  mpfr_ui_div(expected.v, 2, expected.v, MPFR_RNDN);
  mpfr_sub(expected.v, expected.v, sum.v, MPFR_RNDN);
  EXPECT_GE(mpfr_sgn(expected.v), 0);
  EXPECT_LT(mpfr_get_d(expected.v, MPFR_RNDN), 0x1p-159);
}

TEST(TrigPreop, EverySegmentHoldsItsBitsOfTwoOverPi) {
  static test::Real scaled(1500), whole(1500);
  for (const int field : {1023, 1077, 1078, 1500, 1967, 1968, 2046}) {
    for (unsigned segment = 0; segment < 32; ++segment) {
      const int shift = static_cast<int>(segment) * 53 + (field > 1077 ? field - 1077 : 0);
      mpfr_const_pi(scaled.v, MPFR_RNDN);
      mpfr_ui_div(scaled.v, 2, scaled.v, MPFR_RNDN);
      mpfr_mul_2si(scaled.v, scaled.v, 1201, MPFR_RNDN);  // the instruction knows 1201 bits
      mpfr_floor(scaled.v, scaled.v);
      mpfr_mul_2si(scaled.v, scaled.v, shift - 1201, MPFR_RNDN);
      mpfr_frac(scaled.v, scaled.v, MPFR_RNDN);
      mpfr_mul_2si(scaled.v, scaled.v, 53, MPFR_RNDN);
      mpfr_floor(whole.v, scaled.v);
      const double bits = mpfr_get_d(whole.v, MPFR_RNDN);
      const double expected = std::ldexp(bits, -53 - shift + (field >= 1968 ? 128 : 0));
      const f64 a{static_cast<std::uint64_t>(field) << 52};
      ASSERT_EQ(to_host(trig_preop(a, segment)), expected) << field << ' ' << segment;
    }
  }
}

}  // namespace
}  // namespace wavetank::number
