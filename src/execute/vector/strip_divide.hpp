// Reciprocals, roots and the division sequence on strips.
#pragma once

#include "execute/vector/strip_float.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// The negative NaN that roots of negative numbers give, where `below` is set.
template <class T, std::size_t L>
HWY_INLINE Strip<T, L> invalid_where(typename Strip<T, L>::M below, Strip<T, L> value) {
  using S = Strip<T, L>;
  using B = typename S::Bits;
  const S nan(static_cast<B>(number::Format<isa::Scalar<T>>::kDefaultNan | S::sign_bit()));
  return select(below, nan, value);
}
/// f(x) for f32 lanes as doubles, rounded back.
template <std::size_t L, class F>
HWY_INLINE Strip<F32, L> in_double(Strip<F32, L> a, F f) {
  using S = Strip<F32, L>;
  if constexpr (L <= hn::MaxLanes(hn::ScalableTag<double>())) {
    const typename Strip<F64, L>::D d64;
    return {hn::DemoteTo(typename S::D(), f(d64, hn::PromoteTo(d64, a.v)))};
  } else {
    const typename S::D d32;
    const hn::Half<typename S::D> half;
    const hn::RepartitionToWide<typename S::D> d64;
    const auto low = hn::DemoteTo(half, f(d64, hn::PromoteTo(d64, hn::LowerHalf(half, a.v))));
    const auto high = hn::DemoteTo(half, f(d64, hn::PromoteTo(d64, hn::UpperHalf(half, a.v))));
    return {hn::Combine(d32, high, low)};
  }
}

/// Division and square root rounded to double and then to f32 round as one step does, since a
/// double has more than twice the digits (Figueroa, "When is double rounding innocuous?").
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::rcp), Strip<F32, L> a) {
  const typename Strip<F32, L>::D d;
  const Strip<F32, L> x = flush(a);
  return with_nan_rule(flush(Strip<F32, L>{hn::Div(hn::Set(d, 1.0f), x.v)}), a);
}
template <std::size_t L>
HWY_INLINE Strip<F64, L> native(decltype(isa::rcp), Strip<F64, L> a) {
  const typename Strip<F64, L>::D d;
  return with_nan_rule(Strip<F64, L>{hn::Div(hn::Set(d, 1.0), a.v)}, a);
}
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<T, L> native(decltype(isa::sqrt), Strip<T, L> a) {
  Strip<T, L> x = a;
  if constexpr (std::is_same_v<T, F32>) x = flush(a);
  const Strip<T, L> root = with_nan_rule(Strip<T, L>{hn::Sqrt(x.v)}, a);
  return invalid_where<T, L>(Strip<T, L>::mask(hn::Lt(x.v, hn::Zero(typename Strip<T, L>::D()))),
                             root);
}
template <std::size_t L>
HWY_INLINE Strip<F32, L> native(decltype(isa::rsq), Strip<F32, L> a) {
  const Strip<F32, L> x = flush(a);
  const Strip<F32, L> root =
      in_double(x, [](auto d, auto v) { return hn::Div(hn::Set(d, 1.0), hn::Sqrt(v)); });
  const auto below = Strip<F32, L>::mask(hn::Lt(x.v, hn::Zero(typename Strip<F32, L>::D())));
  return invalid_where<F32, L>(below, with_nan_rule(root, a));
}

/// Exponents between which no operand, quotient or reciprocal needs scaling.
template <class T, std::size_t L>
HWY_INLINE bool needs_no_scaling(Strip<T, L> denominator, Strip<T, L> numerator) {
  using F = number::Format<isa::Scalar<T>>;
  using Limits = number::DivideLimits<isa::Scalar<T>>;
  using S = Strip<T, L>;
  const typename S::DBits d;
  const auto set = [&](int value) { return hn::Set(d, static_cast<typename S::Bits>(value)); };
  const auto n = exponent_of(numerator), q = exponent_of(denominator);
  const auto inside = [&](auto value, int first, int last) {
    return hn::Lt(hn::Sub(value, set(first)), set(last - first + 1));
  };
  const auto difference = hn::Sub(hn::Add(n, set(F::kMaxExponent)), q);  // never negative
  return hn::AllTrue(d, hn::And(hn::And(inside(n, Limits::kTiny + 1, F::kMaxExponent - 1),
                                        inside(q, 1, F::kMaxExponent - 3)),
                                inside(difference, F::kMaxExponent + 2 - F::kBias,
                                       F::kMaxExponent + Limits::kNearOverflow - 1)));
}
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE auto native(decltype(isa::div_scale), Strip<T, L> a, Strip<T, L> denominator,
                       Strip<T, L> numerator) {
  using M = typename Strip<T, L>::M;
  if (HWY_LIKELY(needs_no_scaling(denominator, numerator))) {
    return isa::with_mask(a, M::from_bits(0));
  }
  return each_lane(isa::div_scale, a, denominator, numerator);
}
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<T, L> native(decltype(isa::div_fmas), Strip<T, L> a, Strip<T, L> b, Strip<T, L> c,
                              typename Strip<T, L>::M vcc) {
  if (HWY_LIKELY(hn::AllFalse(typename Strip<T, L>::DBits(), vcc.m)))
    return native(isa::fma, a, b, c);
  return each_lane(isa::div_fmas, a, b, c, vcc);
}
template <class T, std::size_t L>
  requires std::is_same_v<T, F32> || std::is_same_v<T, F64>
HWY_INLINE Strip<T, L> native(decltype(isa::div_fixup), Strip<T, L> quotient,
                              Strip<T, L> denominator, Strip<T, L> numerator) {
  using S = Strip<T, L>;
  const typename S::D d;
  const bool ordinary =
      needs_no_scaling(denominator, numerator) && hn::AllFalse(d, hn::IsNaN(quotient.v));
  if (HWY_UNLIKELY(!ordinary)) return each_lane(isa::div_fixup, quotient, denominator, numerator);
  const auto sign = hn::And(hn::Xor(denominator.v, numerator.v), hn::SignBit(d));
  return {hn::Or(magnitude(quotient).v, sign)};
}

}  // namespace wavetank::execute::WAVETANK_HOST
