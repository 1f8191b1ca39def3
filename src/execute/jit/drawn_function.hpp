// Exponential and logarithm of f32, drawn: number/transcendental.cpp, operation by operation, on
// doubles.
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
inline Drawn<F32> each(decltype(isa::exp2), Drawn<F32> a) {
  using U = Drawn<U32>;
  require_ordered(a, a);
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

/// Of positive normal numbers.
inline Drawn<F32> each(decltype(isa::log2), Drawn<F32> a) {
  using U = Drawn<U64>;
  require(as<U32>(a) - Drawn<U32>(0x00800000u) < Drawn<U32>(0x7f000000u));
  const U bits = as<U64>(isa::convert<F64>(a));
  const U offset = bits - U(std::int64_t{0x3fe6a09e667f3bcd});
  const Drawn<I32> exponent(word_of(Do::kSar, offset.high, word(20)));
  const Id upper = word_of(Do::kSub, bits.high, word_of(Do::kShl, exponent.id, word(20)));
  const Drawn<F64> m(graph().make(Do::kJoin, Kind::kDouble, bits.id, upper)), one = double_of(1.0);
  const Drawn<F64> ratio = float_of(Do::kFDiv, m - one, m + one, {}, 2);
  const Drawn<F64> series = horner(ratio * ratio, number::series::kLog2);
  return isa::convert<F32>(ratio * series + isa::convert<F64>(exponent));
}

}  // namespace wavetank::execute::jit
