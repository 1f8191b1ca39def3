// Exponential, logarithm, sine, cosine and reciprocal root of f32 and f16, drawn:
// number/transcendental.cpp, operation by operation, on doubles. And the digits of 2/pi.
#pragma once

#include <bit>
#include <cstddef>

#include "execute/jit/drawn_division.hpp"
#include "number/series.hpp"
#include "number/transcendental.hpp"
#include "number/two_over_pi.hpp"

namespace wavetank::execute::jit {

inline Drawn<F64> double_of(double value) { return Drawn<F64>(std::bit_cast<std::int64_t>(value)); }
/// Products and sums one after the other, each rounded.
template <std::size_t kCount>
Drawn<F64> horner(Drawn<F64> x, const double (&coefficients)[kCount]) {
  Drawn<F64> sum = double_of(coefficients[kCount - 1]);
  for (std::size_t i = kCount - 1; i-- > 0;) sum = sum * x + double_of(coefficients[i]);
  return sum;
}

/// A double to f32 as results of f32 are rounded, and as those of f16, which another rounding
/// follows: of the bits that an f32 has not got, one is left that says whether any was set (Boldo
/// and Melquiond, "Emulation of FMA").
using ToFloat = Drawn<F32> (*)(Drawn<F64>);
inline Drawn<F32> to_nearest(Drawn<F64> a) { return isa::convert<F32>(a); }
inline Drawn<F32> to_odd(Drawn<F64> a) {
  using U = Drawn<U32>;
  const U low(word_of(Do::kLow, a.id)), below((1u << 29) - 1);
  const U kept = (low | ((low & below) + below)) & ~below;
  const Id high = word_of(Do::kHigh, a.id);
  return isa::convert<F32>(Drawn<F64>(graph().make(Do::kJoin, Kind::kDouble, kept.id, high)));
}

/// Results below the normal numbers are 0.
inline Drawn<F32> exp2_of(Drawn<F32> a, ToFloat to_float) {
  using U = Drawn<U32>;
  const Drawn<F32> zero(0u);
  const DrawnMask tiny = a < Drawn<F32>(std::bit_cast<std::int32_t>(-126.0f));
  const DrawnMask huge = Drawn<F32>(std::bit_cast<std::int32_t>(128.0f)) <= a;
  const Drawn<F64> x = isa::convert<F64>(select(tiny | huge, zero, a));
  // Adding this rounds to an integer, which then stands in the low bits.
  const Drawn<F64> magic = double_of(0x1.8p52), shifted = x + magic;
  const Drawn<F64> rest = x - (shifted - magic);
  const U whole(word_of(Do::kLow, shifted.id)), exponent = (whole + U(1023u)) << U(20u);
  const Drawn<F64> power(graph().make(Do::kJoin, Kind::kDouble, word(0), exponent.id));
  const Drawn<F32> result = to_float(horner(rest, number::series::kExp2) * power);
  const Drawn<F32> infinity(0x7f800000u);
  return select(huge, infinity, select(tiny, zero, result));
}
inline Drawn<F32> exp2_by(Drawn<F32> a, ToFloat to_float) {
  const auto computed = [&] {
    const PlainArithmetic plain(graph());
    return exp2_of(a, to_float);
  };
  if (!graph().spells_nans()) require_ordered(a, a);
  return spelled(computed(), a);
}
inline Drawn<F32> each(decltype(isa::exp2), Drawn<F32> a) { return exp2_by(a, to_nearest); }
inline Drawn<F16> each(decltype(isa::exp2), Drawn<F16> a) {
  return narrowed(exp2_by(widened(a), to_odd));
}

/// Of positive normal numbers.
inline Drawn<F32> log2_of(Drawn<F32> a, ToFloat to_float) {
  using U = Drawn<U64>;
  const PlainArithmetic plain(graph());
  const U bits = as<U64>(isa::convert<F64>(a));
  const U offset = bits - U(std::int64_t{0x3fe6a09e667f3bcd});
  const Drawn<I32> exponent(word_of(Do::kSar, offset.high, word(20)));
  const Id upper = word_of(Do::kSub, bits.high, word_of(Do::kShl, exponent.id, word(20)));
  const Drawn<F64> m(graph().make(Do::kJoin, Kind::kDouble, bits.id, upper)), one = double_of(1.0);
  const Drawn<F64> ratio = float_of(Do::kFDiv, m - one, m + one, {}, 2);
  const Drawn<F64> series = horner(ratio * ratio, number::series::kLog2);
  return to_float(ratio * series + isa::convert<F64>(exponent));
}
/// Others are left, or have one of few results.
inline Drawn<F32> log2_by(Drawn<F32> a, ToFloat to_float) {
  using U = Drawn<U32>;
  constexpr std::uint32_t kLeast = 1u << kUpperMantissaBits<F32>;
  const DrawnMask fits = as<U32>(a) - U(kLeast) < U(kInfinity<F32> - kLeast);
  if (!graph().spells_nans()) {
    require(fits);
    return log2_of(a, to_float);
  }
  const Drawn<F32> one(std::int64_t{FormatOf<F32>::kOne}), infinity = infinity_of<F32>(false);
  const DrawnMask zero = (as<U32>(a) & U(kSize)) < U(kLeast);
  const Drawn<F32> positive = select(a == infinity, infinity, invalid_nan<F32>());
  const Drawn<F32> other = nan_of(a, select(zero, infinity_of<F32>(true), positive));
  return select(fits, log2_of(select(fits, a, one), to_float), other);
}
inline Drawn<F32> each(decltype(isa::log2), Drawn<F32> a) { return log2_by(a, to_nearest); }
inline Drawn<F16> each(decltype(isa::log2), Drawn<F16> a) {
  return narrowed(log2_by(widened(a), to_odd));
}

/// Sine (quarters 0) or cosine (1) of a revolutions. Beyond 2^24 every number is whole.
inline Drawn<F32> turn_of(Drawn<F32> a, unsigned quarters, ToFloat to_float) {
  using U = Drawn<U32>;
  const U size = as<U32>(a) & U(kSize);
  const PlainArithmetic plain(graph());
  const DrawnMask whole = U(0x4b800000u) < size;
  const Drawn<F32> zero(0u), of_whole(quarters == 0 ? 0u : FormatOf<F32>::kOne);
  const Drawn<F64> x = isa::convert<F64>(select(whole, zero, a));
  const Drawn<F64> magic = double_of(0x1.8p52), shifted = x * double_of(4.0) + magic;
  const Drawn<F64> rest = x - (shifted - magic) * double_of(0.25), square = rest * rest;
  const Drawn<F64> sine = rest * horner(square, number::series::kSin);
  const Drawn<F64> cosine = horner(square, number::series::kCos);
  const U quadrant = U(word_of(Do::kLow, shifted.id)) + U(quarters);
  const DrawnMask odd = (quadrant & U(1u)) == U(1u);
  const Drawn<F32> value = to_float(select(odd, cosine, sine));
  const U bits = as<U32>(value) ^ ((quadrant & U(2u)) << U(30u));
  // The sine of a zero is that zero; any other result of zero is +0.
  Drawn<F32> result = select((bits & U(kSize)) == U(0u), zero, Drawn<F32>(bits.id));
  if (quarters == 0) result = select(size == U(0u), a, result);
  return select(whole, of_whole, result);
}
/// Infinities and NaNs are left, or their results are NaNs.
inline Drawn<F32> turn(Drawn<F32> a, unsigned quarters, ToFloat to_float) {
  const DrawnMask finite = (as<U32>(a) & Drawn<U32>(kSize)) < Drawn<U32>(kInfinity<F32>);
  if (!graph().spells_nans()) {
    require(finite);
    return turn_of(a, quarters, to_float);
  }
  return select(finite, turn_of(a, quarters, to_float), nan_of(a, invalid_nan<F32>()));
}
inline Drawn<F32> each(decltype(isa::sin), Drawn<F32> a) { return turn(a, 0, to_nearest); }
inline Drawn<F32> each(decltype(isa::cos), Drawn<F32> a) { return turn(a, 1, to_nearest); }
inline Drawn<F16> each(decltype(isa::sin), Drawn<F16> a) {
  return narrowed(turn(widened(a), 0, to_odd));
}
inline Drawn<F16> each(decltype(isa::cos), Drawn<F16> a) {
  return narrowed(turn(widened(a), 1, to_odd));
}

/// Both steps then round as one.
inline Drawn<F32> rsq_of(Drawn<F32> a, ToFloat to_float) {
  const PlainArithmetic plain(graph());
  const Drawn<F64> wide(graph().make(Do::kDoubleOfFloat, Kind::kDouble, a.id));
  return to_float(float_of(Do::kFDiv, double_of(1.0), float_of(Do::kFSqrt, wide), {}, 2));
}
inline Drawn<F32> rsq_by(Drawn<F32> a, ToFloat to_float) {
  if (graph().spells_nans()) return spelled_invalid(rsq_of(flushed(a), to_float), a);
  graph().require_among(a.id, kPositiveNormals<F32>);
  return rsq_of(a, to_float);
}
inline Drawn<F32> each(decltype(isa::rsq), Drawn<F32> a) { return rsq_by(a, to_nearest); }
inline Drawn<F16> each(decltype(isa::rsq), Drawn<F16> a) {
  return narrowed(rsq_by(widened(a), to_odd));
}

/// Of a segment that is a constant, as compilers give it, the digits that arguments below 2^55 ask
/// for; others are left. Careful code calls the handler.
inline Drawn<F64> each(decltype(isa::trig_preop), Drawn<F64> a, Drawn<U32> segment) {
  using U = Drawn<U32>;
  if (graph().spells_nans() || !graph().is_constant(segment.id)) {
    pen.declined = true;
    return a;
  }
  constexpr std::uint32_t kEnd = (number::kFirstBitsField + 1u) << kUpperMantissaBits<F64>;
  require((upper_word(a) & U(kSize)) < U(kEnd));
  const number::f64 digits = number::trig_preop({}, graph().constant(segment.id));
  return Drawn<F64>(static_cast<std::int64_t>(digits.bits));
}

}  // namespace wavetank::execute::jit
