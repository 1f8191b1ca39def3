// Exponential, logarithm, sine and cosine of f32, drawn: number/transcendental.cpp, operation by
// operation, on doubles.
#pragma once

#include <bit>
#include <cstddef>

#include "execute/jit/drawn_float.hpp"
#include "number/series.hpp"

namespace wavetank::execute::jit {

inline Drawn<F64> double_of(double value) { return Drawn<F64>(std::bit_cast<std::int64_t>(value)); }
/// Products and sums one after the other, each rounded.
template <std::size_t kCount>
Drawn<F64> horner(Drawn<F64> x, const double (&coefficients)[kCount]) {
  Drawn<F64> sum = double_of(coefficients[kCount - 1]);
  for (std::size_t i = kCount - 1; i-- > 0;) sum = sum * x + double_of(coefficients[i]);
  return sum;
}

/// Results below the normal numbers are 0.
inline Drawn<F32> exp2_of(Drawn<F32> a) {
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
  const Drawn<F32> result = isa::convert<F32>(horner(rest, number::series::kExp2) * power);
  const Drawn<F32> infinity(0x7f800000u);
  return select(huge, infinity, select(tiny, zero, result));
}
inline Drawn<F32> each(decltype(isa::exp2), Drawn<F32> a) {
  const auto computed = [&] {
    const PlainArithmetic plain(graph());
    return exp2_of(a);
  };
  if (!graph().spells_nans()) require_ordered(a, a);
  return spelled(computed(), a);
}

/// Of positive normal numbers.
inline Drawn<F32> log2_of(Drawn<F32> a) {
  using U = Drawn<U64>;
  const PlainArithmetic plain(graph());
  const U bits = as<U64>(isa::convert<F64>(a));
  const U offset = bits - U(std::int64_t{0x3fe6a09e667f3bcd});
  const Drawn<I32> exponent(word_of(Do::kSar, offset.high, word(20)));
  const Id upper = word_of(Do::kSub, bits.high, word_of(Do::kShl, exponent.id, word(20)));
  const Drawn<F64> m(graph().make(Do::kJoin, Kind::kDouble, bits.id, upper)), one = double_of(1.0);
  const Drawn<F64> ratio = float_of(Do::kFDiv, m - one, m + one, {}, 2);
  const Drawn<F64> series = horner(ratio * ratio, number::series::kLog2);
  return isa::convert<F32>(ratio * series + isa::convert<F64>(exponent));
}
/// Others are left, or have one of few results.
inline Drawn<F32> each(decltype(isa::log2), Drawn<F32> a) {
  using U = Drawn<U32>;
  constexpr std::uint32_t kLeast = 1u << kUpperMantissaBits<F32>;
  const DrawnMask fits = as<U32>(a) - U(kLeast) < U(kInfinity<F32> - kLeast);
  if (!graph().spells_nans()) {
    require(fits);
    return log2_of(a);
  }
  const Drawn<F32> one(std::int64_t{FormatOf<F32>::kOne}), infinity = infinity_of<F32>(false);
  const DrawnMask zero = (as<U32>(a) & U(kSize)) < U(kLeast);
  const Drawn<F32> positive = select(a == infinity, infinity, invalid_nan<F32>());
  const Drawn<F32> other = nan_of(a, select(zero, infinity_of<F32>(true), positive));
  return select(fits, log2_of(select(fits, a, one)), other);
}

/// Sine (quarters 0) or cosine (1) of a revolutions. Beyond 2^24 every number is whole.
inline Drawn<F32> turn_of(Drawn<F32> a, unsigned quarters) {
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
  const Drawn<F32> value = isa::convert<F32>(select(odd, cosine, sine));
  const U bits = as<U32>(value) ^ ((quadrant & U(2u)) << U(30u));
  // The sine of a zero is that zero; any other result of zero is +0.
  Drawn<F32> result = select((bits & U(kSize)) == U(0u), zero, Drawn<F32>(bits.id));
  if (quarters == 0) result = select(size == U(0u), a, result);
  return select(whole, of_whole, result);
}
/// Infinities and NaNs are left, or their results are NaNs.
inline Drawn<F32> turn(Drawn<F32> a, unsigned quarters) {
  const DrawnMask finite = (as<U32>(a) & Drawn<U32>(kSize)) < Drawn<U32>(kInfinity<F32>);
  if (!graph().spells_nans()) {
    require(finite);
    return turn_of(a, quarters);
  }
  return select(finite, turn_of(a, quarters), nan_of(a, invalid_nan<F32>()));
}
inline Drawn<F32> each(decltype(isa::sin), Drawn<F32> a) { return turn(a, 0); }
inline Drawn<F32> each(decltype(isa::cos), Drawn<F32> a) { return turn(a, 1); }

}  // namespace wavetank::execute::jit
