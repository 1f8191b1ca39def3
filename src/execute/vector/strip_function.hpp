// Exponential, logarithm, sine and cosine of f32 strips: number/transcendental.cpp, operation by
// operation, on vectors of doubles. And what reduces angles of doubles.
#pragma once

#include <limits>
#include <type_traits>

#include "execute/vector/strip.hpp"
#include "execute/vector/strip_divide.hpp"
#include "number/series.hpp"
#include "number/two_over_pi.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// Adding this rounds to an integer, which then stands in the low bits.
inline constexpr double kToInteger = 0x1.8p52;

template <class D, std::size_t kCount>
HWY_INLINE hn::Vec<D> horner(D d, hn::Vec<D> x, const double (&coefficients)[kCount]) {
  auto sum = hn::Set(d, coefficients[kCount - 1]);
  for (std::size_t i = kCount - 1; i-- > 0;) {
    sum = hn::Add(hn::Mul(sum, x), hn::Set(d, coefficients[i]));
  }
  return sum;
}

/// 2^x for |x| <= 300.
template <class D>
HWY_INLINE hn::Vec<D> exp2_of(D d, hn::Vec<D> x) {
  const hn::RebindToUnsigned<D> du;
  const auto magic = hn::Set(d, kToInteger);
  const auto shifted = hn::Add(x, magic);
  const auto rest = hn::Sub(x, hn::Sub(shifted, magic));
  const auto biased = hn::Add(hn::BitCast(du, shifted), hn::Set(du, std::uint64_t{1023}));
  const auto power = hn::BitCast(d, hn::ShiftLeft<52>(biased));
  return hn::Mul(horner(d, rest, number::series::kExp2), power);
}
/// log2(x) for a positive normal x.
template <class D>
HWY_INLINE hn::Vec<D> log2_of(D d, hn::Vec<D> x) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto bits = hn::BitCast(du, x);
  const auto offset = hn::Sub(bits, hn::Set(du, std::uint64_t{0x3fe6a09e667f3bcd}));
  const auto exponent = hn::ShiftRight<52>(hn::BitCast(di, offset));
  const auto m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<52>(hn::BitCast(du, exponent))));
  const auto one = hn::Set(d, 1.0);
  const auto ratio = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const auto series = horner(d, hn::Mul(ratio, ratio), number::series::kLog2);
  // The exponent as a double: its bits below those of the integer constant.
  const auto magic = hn::Set(d, kToInteger);
  const auto placed = hn::Add(hn::BitCast(di, magic), exponent);
  return hn::Add(hn::Mul(ratio, series), hn::Sub(hn::BitCast(d, placed), magic));
}
/// sin(2 pi x) advanced by `quarters` quarter turns, for |x| <= 2^24.
template <class D>
HWY_INLINE hn::Vec<D> sin_of(D d, hn::Vec<D> x, unsigned quarters) {
  const hn::RebindToUnsigned<D> du;
  const auto magic = hn::Set(d, kToInteger);
  const auto shifted = hn::Add(hn::Mul(x, hn::Set(d, 4.0)), magic);
  const auto turn = hn::Sub(shifted, magic);
  const auto rest = hn::Sub(x, hn::Mul(turn, hn::Set(d, 0.25)));
  const auto square = hn::Mul(rest, rest);
  const auto sine = hn::Mul(rest, horner(d, square, number::series::kSin));
  const auto cosine = horner(d, square, number::series::kCos);
  const auto quadrant = hn::Add(hn::BitCast(du, shifted), hn::Set(du, std::uint64_t{quarters}));
  const auto odd = hn::Ne(hn::And(quadrant, hn::Set(du, std::uint64_t{1})), hn::Zero(du));
  const auto value = hn::IfThenElse(hn::RebindMask(d, odd), cosine, sine);
  const auto sign = hn::ShiftLeft<62>(hn::And(quadrant, hn::Set(du, std::uint64_t{2})));
  return hn::Xor(value, hn::BitCast(d, sign));
}

/// Where a is a NaN, a quieted, else the result.
template <std::size_t L>
HWY_INLINE Strip<F32, L> unless_nan(Strip<F32, L> a, Strip<F32, L> result) {
  const typename Strip<F32, L>::D d;
  const auto quiet =
      hn::Or(a.v, hn::BitCast(d, hn::Set(typename Strip<F32, L>::DBits(), 0x400000u)));
  return {hn::IfThenElse(hn::IsNaN(a.v), quiet, result.v)};
}

/// Of the bits that an f32 has not got, one is left that says whether any was set: a result of
/// fewer bits is then rounded as if at once (Boldo and Melquiond, "Emulation of FMA").
template <class D>
HWY_INLINE hn::Vec<D> to_odd(D d, hn::Vec<D> x) {
  const hn::RebindToUnsigned<D> du;
  constexpr std::uint64_t kBelow = (std::uint64_t{1} << 29) - 1;
  const auto bits = hn::BitCast(du, x);
  const auto any = hn::Add(hn::And(bits, hn::Set(du, kBelow)), hn::Set(du, kBelow));
  return hn::BitCast(d, hn::AndNot(hn::Set(du, kBelow), hn::Or(bits, any)));
}

/// `round(d64, power)` of 2 to the power a; a's NaNs stay.
template <std::size_t L, class F>
HWY_INLINE Strip<F32, L> power_of_two(Strip<F32, L> a, F round) {
  const typename Strip<F32, L>::D d;
  const auto x = hn::Max(hn::Min(flush(a).v, hn::Set(d, 300.0f)), hn::Set(d, -300.0f));
  const auto result =
      in_double(Strip<F32, L>{x}, [&](auto d64, auto v) { return round(d64, exp2_of(d64, v)); });
  return unless_nan(a, flush(result));
}
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::exp2), Strip<F32, L> a) {
  return power_of_two(a, [](auto, auto v) { return v; });
}
template <std::size_t L>
  requires kNativeHalf
HWY_INLINE Strip<F16, L> native(decltype(isa::exp2), Strip<F16, L> a) {
  return narrow(power_of_two(widen(a), [](auto d64, auto v) { return to_odd(d64, v); }));
}
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::log2), Strip<F32, L> a) {
  using S = Strip<F32, L>;
  const typename S::D d;
  const S x = flush(a);
  const auto zero = hn::Zero(d);
  const auto infinity = hn::Set(d, std::numeric_limits<float>::infinity());
  const auto result = in_double(x, [](auto d64, auto v) { return log2_of(d64, v); });
  auto value = hn::IfThenElse(hn::Eq(x.v, zero), hn::Neg(infinity), flush(result).v);
  value = hn::IfThenElse(hn::Eq(x.v, infinity), infinity, value);
  return unless_nan(a, invalid_where<F32, L>(S::mask(hn::Lt(x.v, zero)), S{value}));
}

/// Sine (quarters 0) or cosine (1) of a revolutions; beyond 2^24 every number is whole.
template <std::size_t L>
HWY_INLINE Strip<F32, L> turn(Strip<F32, L> a, unsigned quarters) {
  using S = Strip<F32, L>;
  const typename S::D d;
  const auto zero = hn::Zero(d);
  const auto whole = hn::Gt(hn::Abs(a.v), hn::Set(d, 0x1p24f));
  const S inside{hn::IfThenZeroElse(whole, a.v)};
  const S value = in_double(inside, [&](auto d64, auto v) { return sin_of(d64, v, quarters); });
  // The sine of a zero is that zero; any other result of zero is +0.
  auto result = hn::IfThenElse(hn::Eq(value.v, zero), zero, value.v);
  if (quarters == 0) result = hn::IfThenElse(hn::Eq(a.v, zero), a.v, result);
  result = hn::IfThenElse(whole, hn::Set(d, quarters == 0 ? 0.0f : 1.0f), result);
  const auto infinite = hn::Gt(hn::Abs(a.v), hn::Set(d, std::numeric_limits<float>::max()));
  return unless_nan(a, invalid_where<F32, L>(S::mask(infinite), S{result}));
}
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::sin), Strip<F32, L> a) {
  return turn(a, 0);
}
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::cos), Strip<F32, L> a) {
  return turn(a, 1);
}

/// Other functions of one f16 are those of f32 rounded once more: for each of the 65,536 operands
/// that gives what one rounding of the double gives (valu_test).
template <class F>
inline constexpr bool kHalfByFloat =
    std::is_same_v<const F, decltype(isa::log2)> || std::is_same_v<const F, decltype(isa::sin)> ||
    std::is_same_v<const F, decltype(isa::cos)> || std::is_same_v<const F, decltype(isa::rcp)> ||
    std::is_same_v<const F, decltype(isa::rsq)> || std::is_same_v<const F, decltype(isa::sqrt)>;
template <class F, std::size_t L>
  requires(kNativeHalf && kHalfByFloat<F>)
HWY_INLINE Strip<F16, L> native(F function, Strip<F16, L> a) {
  return narrow(native(function, widen(a)));
}

/// As number::trig_preop where no result is denormal: 53 bits as a double, times a power of two.
template <std::size_t L>
HWY_INLINE Strip<F64, L> native(decltype(isa::trig_preop), Strip<F64, L> a, Strip<U32, L> segment) {
  const typename Strip<F64, L>::D d;
  const typename Strip<F64, L>::DBits du;
  const hn::RebindToSigned<decltype(du)> di;
  const auto set = [&](std::int64_t value) { return hn::Set(di, value); };
  const auto field = hn::BitCast(di, exponent_of(a));
  const auto first = hn::Mul(hn::PromoteTo(du, (segment & Strip<U32, L>(number::kSegments - 1u)).v),
                             hn::Set(du, std::uint64_t{number::kSegmentBits}));
  const auto further = hn::Max(hn::Sub(field, set(number::kFirstBitsField)), hn::Zero(di));
  const auto shift = hn::Add(hn::BitCast(di, first), further);
  const auto rescaling =
      hn::IfThenElseZero(hn::Gt(field, set(number::kRescaledField - 1)), set(number::kRescaling));
  const auto power = hn::Add(hn::Sub(rescaling, shift), set(1023 - number::kSegmentBits));
  if (HWY_UNLIKELY(!hn::AllTrue(di, hn::Gt(power, hn::Zero(di))))) {
    return each_lane(isa::trig_preop, a, segment);
  }
  const auto word = hn::ShiftRight<6>(shift), offset = hn::And(shift, set(63));
  const std::uint64_t* const words = number::kTwoOverPi.data();
  const auto upper = hn::Shl(hn::GatherIndex(du, words, word), hn::BitCast(du, offset));
  const auto lower = hn::Shr(hn::ShiftRight<1>(hn::GatherIndex(du, words + 1, word)),
                             hn::BitCast(du, hn::Sub(set(63), offset)));
  const auto bits = hn::ShiftRight<64 - number::kSegmentBits>(hn::Or(upper, lower));
  const auto scale = hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(du, power)));
  return {hn::Mul(hn::ConvertTo(d, hn::BitCast(di, bits)), scale)};
}

}  // namespace wavetank::execute::WAVETANK_HOST
