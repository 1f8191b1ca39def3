#include "number/transcendental.hpp"

#include <cmath>

#include "number/arithmetic.hpp"
#include "number/convert.hpp"
#include "number/round.hpp"
#include "number/series.hpp"

namespace wavetank::number {
namespace {

// Kernels in double: basic operations only, each rounded once by the host, so every host gives
// the same bits. Coefficients are those of the Taylor series, rounded to double.

template <std::size_t kCount>
double horner(double x, const double (&coefficients)[kCount]) {
  double sum = coefficients[kCount - 1];
  for (std::size_t i = kCount - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

/// The integer nearest to x, for |x| below 2^51.
double nearest(double x) {
  constexpr double kMagic = 0x1.8p52;
  return (x + kMagic) - kMagic;
}

/// 2^n for -1022 <= n <= 1023.
double power_of_two(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// 2^x for |x| <= 1000: ln(2)^k / k! over the nearest integer's remainder.
double exp2_kernel(double x) {
  const double whole = nearest(x);
  return horner(x - whole, series::kExp2) * power_of_two(static_cast<int>(whole));
}

/// log2(x) for a positive normal x: 2/ln(2) * atanh((m - 1) / (m + 1)) plus the exponent.
double log2_kernel(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t offset = bits - kSqrtHalf;
  const int exponent = static_cast<int>(static_cast<std::int64_t>(offset) >> 52);
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
  const double ratio = (m - 1) / (m + 1);
  return ratio * horner(ratio * ratio, series::kLog2) + exponent;
}

/// sin(2 pi r) for |r| <= 1/8.
double sin_kernel(double r) {
  return r * horner(r * r, series::kSin);
}

/// cos(2 pi r) for |r| <= 1/8.
double cos_kernel(double r) {
  return horner(r * r, series::kCos);
}

/// sin(2 pi x) advanced by `quarters` quarter turns, for |x| <= 2^24.
double sin_turns(double x, int quarters) {
  const double turn = nearest(4 * x);
  const double rest = x - turn / 4;
  const int quadrant = (static_cast<int>(turn) + quarters) & 3;
  const double value = (quadrant & 1) != 0 ? cos_kernel(rest) : sin_kernel(rest);
  return (quadrant & 2) != 0 ? -value : value;
}

/// 1 / sqrt(x) for 1 <= x < 4, corrected by the exact residual 1 - x y^2.
double rsq_kernel(double x) {
  const double y = 1 / std::sqrt(x);
  const double square = y * y;
  const double square_error = std::fma(y, y, -square);
  const double residual = std::fma(-x, square, 1.0) - x * square_error;
  return y + y * (residual / 2);
}

/// y or the neighbour that lies nearest to 1 / sqrt(x), for 1 <= x < 4: the root is above a point h
/// if x h^2 < 1, here exactly at the points halfway to the neighbours.
double nearest_rsq(double x, double y) {
  const auto significand = static_cast<std::uint64_t>(x * 0x1p52);
  auto steps = static_cast<std::uint64_t>(y * 0x1p53);
  const auto is_above = [significand](std::uint64_t half_steps) {
    const u128 square = static_cast<u128>(half_steps) * half_steps;
    const u128 low = static_cast<u128>(static_cast<std::uint64_t>(square)) * significand;
    return (square >> 64) * significand + (low >> 64) < static_cast<u128>(1) << 96;
  };
  if (is_above(2 * steps + 1)) ++steps;
  else if (!is_above(2 * steps - 1)) --steps;
  return static_cast<double>(steps) * 0x1p-53;
}

template <Float T>
T invalid() {
  return negate(default_nan<T>());
}

constexpr FloatMode nearest_even(FloatMode mode) {
  mode.round = Round::kNearestEven;
  return mode;
}

/// The mode of an f32 or f16 function: nearest-even; f32 without denormals.
template <Float T>
FloatMode function_mode(const FloatMode& mode) {
  if constexpr (std::same_as<T, f32>) return flushing(nearest_even(mode));
  return nearest_even(mode);
}

/// A host double rounded to T.
template <Float T>
T round_from(double value, const FloatMode& mode) {
  if constexpr (std::same_as<T, f32>) {
    return flush_output(from_host(static_cast<float>(value)), mode);
  } else {
    return convert<T>(from_host(value), {}, mode);
  }
}

/// A finite f16 or f32 as a host double, exactly.
double to_double(f16 a) { return to_host(convert<f64>(a, {}, {})); }
double to_double(f32 a) { return static_cast<double>(to_host(a)); }

template <Float T>
T rcp_function(T a, const FloatMode& mode) {
  const FloatMode own = function_mode<T>(mode);
  a = flush_input(a, own);
  if (is_nan(a)) return quiet(a);
  if (is_zero(a)) return infinity<T>(is_negative(a));
  if (is_infinite(a)) return signed_zero<T>(is_negative(a));
  return round_from<T>(1 / to_double(a), own);
}

template <Float T>
T rsq_function(T a, const FloatMode& mode) {
  const FloatMode own = function_mode<T>(mode);
  a = flush_input(a, own);
  if (is_nan(a)) return quiet(a);
  if (is_zero(a)) return infinity<T>(is_negative(a));
  if (is_negative(a)) return invalid<T>();
  if (is_infinite(a)) return signed_zero<T>(false);
  return round_from<T>(1 / std::sqrt(to_double(a)), own);
}

template <Float T>
T sqrt_function(T a, const FloatMode& mode) {
  const FloatMode own = function_mode<T>(mode);
  a = flush_input(a, own);
  if (is_nan(a)) return quiet(a);
  if (is_zero(a)) return a;
  if (is_negative(a)) return invalid<T>();
  if (is_infinite(a)) return a;
  return round_from<T>(std::sqrt(to_double(a)), own);
}

template <Float T>
T exp2_function(T a, const FloatMode& mode) {
  const FloatMode own = function_mode<T>(mode);
  a = flush_input(a, own);
  if (is_nan(a)) return quiet(a);
  if (is_infinite(a)) return is_negative(a) ? signed_zero<T>(false) : a;
  const double x = to_double(a);
  constexpr double kBeyond = 300;  // far outside every result but infinity and zero
  return round_from<T>(exp2_kernel(x > kBeyond ? kBeyond : (x < -kBeyond ? -kBeyond : x)), own);
}

template <Float T>
T log2_function(T a, const FloatMode& mode) {
  const FloatMode own = function_mode<T>(mode);
  a = flush_input(a, own);
  if (is_nan(a)) return quiet(a);
  if (is_zero(a)) return infinity<T>(true);
  if (is_negative(a)) return invalid<T>();
  if (is_infinite(a)) return a;
  return round_from<T>(log2_kernel(to_double(a)), own);
}

/// Sine (quarters 0) or cosine (quarters 1) of a revolutions. "Full range input is supported"
/// (CDNA4 ISA guide); LLVM takes the fraction first before gfx9 only (SITargetLowering::LowerTrig).
template <Float T>
T turn_function(T a, int quarters, const FloatMode& mode) {
  const FloatMode own = nearest_even(mode);
  a = flush_input(a, own);
  if (is_nan(a)) return quiet(a);
  if (is_infinite(a)) return invalid<T>();
  const double x = to_double(a);
  constexpr double kWhole = 0x1p24;  // from here on every number is whole
  const bool is_whole = x > kWhole || x < -kWhole;
  const double value = is_whole ? quarters : sin_turns(x, quarters);
  if (value == 0) return signed_zero<T>(x == 0 && is_negative(a));
  return round_from<T>(value, own);
}

}  // namespace

f16 rcp(f16 a, const FloatMode& mode) { return rcp_function(a, mode); }
f32 rcp(f32 a, const FloatMode& mode) { return rcp_function(a, mode); }
f64 rcp(f64 a, const FloatMode& mode) {
  a = flush_input(a, mode);
  if (is_nan(a)) return quiet(a);
  return flush_output(from_host(1 / to_host(a)), mode);
}

f16 rsq(f16 a, const FloatMode& mode) { return rsq_function(a, mode); }
f32 rsq(f32 a, const FloatMode& mode) { return rsq_function(a, mode); }
f64 rsq(f64 a, const FloatMode& mode) {
  a = flush_input(a, mode);
  if (is_nan(a)) return quiet(a);
  if (is_zero(a)) return infinity<f64>(is_negative(a));
  if (is_negative(a)) return invalid<f64>();
  if (is_infinite(a)) return signed_zero<f64>(false);
  const Unpacked u = unpack(a);
  const int top = u.exponent + bit_length(u.significand) - 1;
  const int even = top - (top & 1);  // a = m * 2^even with 1 <= m < 4
  const double m = to_host(ldexp(a, -even, {}));
  return ldexp(from_host(nearest_rsq(m, rsq_kernel(m))), -even / 2, {});
}

f16 sqrt(f16 a, const FloatMode& mode) { return sqrt_function(a, mode); }
f32 sqrt(f32 a, const FloatMode& mode) { return sqrt_function(a, mode); }
f64 sqrt(f64 a, const FloatMode& mode) {
  a = flush_input(a, mode);
  if (is_nan(a)) return quiet(a);
  if (is_negative(a) && !is_zero(a)) return invalid<f64>();
  return from_host(std::sqrt(to_host(a)));
}

f16 exp2(f16 a, const FloatMode& mode) { return exp2_function(a, mode); }
f32 exp2(f32 a, const FloatMode& mode) { return exp2_function(a, mode); }
f16 log2(f16 a, const FloatMode& mode) { return log2_function(a, mode); }
f32 log2(f32 a, const FloatMode& mode) { return log2_function(a, mode); }
f16 sin(f16 a, const FloatMode& mode) { return turn_function(a, 0, mode); }
f32 sin(f32 a, const FloatMode& mode) { return turn_function(a, 0, mode); }
f16 cos(f16 a, const FloatMode& mode) { return turn_function(a, 1, mode); }
f32 cos(f32 a, const FloatMode& mode) { return turn_function(a, 1, mode); }

}  // namespace wavetank::number
