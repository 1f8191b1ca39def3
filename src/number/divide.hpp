// The three instructions of the division sequence. The manual's pseudo-code (V_DIV_SCALE_F32,
// V_DIV_FMAS_F32, V_DIV_FIXUP_F32) leaves open what a few lines mean; where it does, the choice
// here is the one with which the compiler's sequence gives correctly rounded quotients for every
// operand, and which agrees with the results published by tinygrad's hardware tests:
//  - "1/S1 is denormal" and "S2/S1 is denormal" are decided on exponents;
//  - if both are, the denominator is scaled down (the text's ldexp(S0, 64) would overflow);
//  - div_fmas scales up if the quotient estimate is at least 2, down otherwise;
//  - div_fixup turns a NaN estimate of two ordinary operands into overflow.
#pragma once

#include "number/arithmetic.hpp"

namespace wavetank::number {

/// The thresholds of the division instructions for a format.
template <Float T>
struct DivideLimits;
template <>
struct DivideLimits<f16> {
  static constexpr int kUnderflow = 1 << 20;  // v_div_fixup_f16 has no underflow case
};
template <>
struct DivideLimits<f32> {
  static constexpr int kScale = 64;        ///< exponent change of a scaled operand
  static constexpr int kNearOverflow = 96; ///< exponent(N) - exponent(D) from which D is scaled
  static constexpr int kTiny = 23;         ///< exponent field up to which N counts as tiny
  static constexpr int kUnderflow = 150;   ///< exponent(N) - exponent(D) below minus this is 0
};
template <>
struct DivideLimits<f64> {
  static constexpr int kScale = 128;
  static constexpr int kNearOverflow = 768;
  static constexpr int kTiny = 53;
  static constexpr int kUnderflow = 1075;
};

/// What v_div_scale_* writes: the scaled operand and the lane's VCC bit.
template <Float T>
struct DivScale {
  T value;
  bool vcc;
};

namespace detail {

/// The exponent that a has, or would have as a denormal of unbounded range, without bias.
template <Float T>
constexpr int true_exponent(T a) {
  if (!is_denormal(a)) return exponent_field(a) - Format<T>::kBias;
  const Unpacked u = unpack(a);
  return u.exponent + bit_length(u.significand) - 1;
}

}  // namespace detail

/// v_div_scale_f32, _f64: `a` is the operand to scale, a copy of `denominator` or `numerator`.
/// The VCC bit tells div_fmas to scale the quotient back.
template <Float T>
constexpr DivScale<T> div_scale(T a, T denominator, T numerator, const FloatMode& mode) {
  using F = Format<T>;
  using Limits = DivideLimits<T>;
  a = flush_input(a, mode);
  denominator = flush_input(denominator, mode);
  numerator = flush_input(numerator, mode);
  if (is_zero(numerator) || is_zero(denominator)) return {default_nan<T>(), true};
  const bool is_denominator = a == denominator;
  const bool is_numerator = a == numerator;
  const auto scaled = [&](int exponent) { return ldexp(a, exponent, mode); };
  const int quotient_exponent =
      detail::true_exponent(numerator) - detail::true_exponent(denominator);
  const bool tiny_quotient = quotient_exponent <= 1 - F::kBias;
  const bool tiny_reciprocal = exponent_field(denominator) >= F::kMaxExponent - 2 &&
                               exponent_field(denominator) < F::kMaxExponent;
  if (exponent_field(numerator) - exponent_field(denominator) >= Limits::kNearOverflow) {
    return {is_denominator ? scaled(Limits::kScale) : a, true};
  }
  if (is_denormal(denominator)) return {scaled(Limits::kScale), false};
  if (tiny_reciprocal && tiny_quotient) {
    return {is_denominator ? scaled(-Limits::kScale) : a, true};
  }
  if (tiny_reciprocal) return {scaled(-Limits::kScale), false};
  if (tiny_quotient) return {is_numerator ? scaled(Limits::kScale) : a, true};
  if (exponent_field(numerator) <= Limits::kTiny) return {scaled(Limits::kScale), false};
  return {a, false};
}

/// v_div_fmas_f32, _f64: fma(a, b, c); if vcc, times 2^64 (f32) or 2^128 (f64) when |c| >= 2 and
/// divided by it otherwise, with a single rounding.
template <Float T>
inline T div_fmas(T a, T b, T c, bool vcc, const FloatMode& mode) {
  if (!vcc) return fma(a, b, c, mode);
  const bool up = exponent_field(c) > Format<T>::kBias;
  const int scale = up ? DivideLimits<T>::kScale : -DivideLimits<T>::kScale;
  return exact::fma(flush_input(a, mode), flush_input(b, mode), flush_input(c, mode), mode, scale);
}

/// v_div_fixup_f16, _f32, _f64: the quotient with the special cases of numerator / denominator
/// put right. 0/0 and infinity/infinity give the negative default NaN, as the manual writes it.
template <Float T>
constexpr T div_fixup(T quotient, T denominator, T numerator, const FloatMode& mode) {
  using F = Format<T>;
  quotient = flush_input(quotient, mode);
  denominator = flush_input(denominator, mode);
  numerator = flush_input(numerator, mode);
  const bool negative = is_negative(denominator) != is_negative(numerator);
  if (is_nan(numerator)) return quiet(numerator);
  if (is_nan(denominator)) return quiet(denominator);
  if ((is_zero(denominator) && is_zero(numerator)) ||
      (is_infinite(denominator) && is_infinite(numerator))) {
    return negate(default_nan<T>());
  }
  if (is_zero(denominator) || is_infinite(numerator)) return infinity<T>(negative);
  if (is_infinite(denominator) || is_zero(numerator)) return signed_zero<T>(negative);
  const int difference = exponent_field(numerator) - exponent_field(denominator);
  if (difference < -DivideLimits<T>::kUnderflow) {
    return round_to<T>(negative, -4000, std::uint64_t{1}, mode);
  }
  if (is_nan(quotient)) return round_to<T>(negative, 4000, std::uint64_t{1}, mode);
  return from_bits<T>(magnitude(quotient) | (negative ? F::kSign : 0));
}

}  // namespace wavetank::number
