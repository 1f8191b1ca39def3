// Quick strips: f32 and f64 arithmetic for ordinary operands, with the rest left for later.
//
// The GPU fixes which NaN a result is (number/arithmetic.hpp), and division and square root treat
// tiny and huge operands apart, so every host instruction would be followed by tests. Such operands
// are rare: a row whose body is one of the functions below is evaluated for four strips first, one
// test serves all four, and only if it finds a NaN, or an operand that a function does not take,
// are they evaluated again as ordinary strips. A body that does anything else gets ordinary strips.
#pragma once

#include "execute/vector/each.hpp"
#include "execute/vector/strip.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// A strip whose arithmetic may give any NaN; lanes in `bad` hold no result at all.
template <class T, std::size_t L>
struct Quick : Strip<T, L> {
  using Base = Strip<T, L>;
  using Bad = hn::Mask<typename Base::D>;
  Bad bad;

  HWY_INLINE explicit Quick(Base value) : Quick(value, none()) {}
  HWY_INLINE Quick(Base value, Bad where) : Base(value), bad(where) {}
  static HWY_INLINE Bad none() { return hn::MaskFromVec(hn::Zero(typename Base::D())); }
  friend HWY_INLINE Quick operator+(Quick a, Quick b) {
    return {Base(hn::Add(a.v, b.v)), hn::Or(a.bad, b.bad)};
  }
  friend HWY_INLINE Quick operator-(Quick a, Quick b) {
    return {Base(hn::Sub(a.v, b.v)), hn::Or(a.bad, b.bad)};
  }
  friend HWY_INLINE Quick operator*(Quick a, Quick b) {
    return {Base(hn::Mul(a.v, b.v)), hn::Or(a.bad, b.bad)};
  }
};

/// Lanes whose magnitude is outside [2^-exponent, 2^exponent), as bits; NaNs are.
template <class T, std::size_t L>
HWY_INLINE typename Quick<T, L>::Bad extreme(Strip<T, L> a, int exponent) {
  using F = number::Format<isa::Scalar<T>>;
  using B = typename Strip<T, L>::Bits;
  const typename Strip<T, L>::DBits d;
  const auto edge = [](int power) { return static_cast<B>(F::kBias + power) << F::kMantissaBits; };
  const auto bits = hn::BitCast(d, magnitude(a).v);
  const auto above = hn::Sub(bits, hn::Set(d, edge(-exponent)));
  const auto width = hn::Set(d, static_cast<B>(edge(exponent) - edge(-exponent)));
  return hn::RebindMask(typename Strip<T, L>::D(), hn::Not(hn::Lt(above, width)));
}
/// Operands of this size need no scaling in a division, and neither does their quotient.
template <class T>
inline constexpr int kDivisible = std::is_same_v<T, F32> ? 47 : 400;
template <class T, std::size_t L>
HWY_INLINE typename Quick<T, L>::Bad hard_to_divide(Strip<T, L> a, Strip<T, L> b) {
  return hn::Or(extreme(a, kDivisible<T>), extreme(b, kDivisible<T>));
}

#if HWY_NATIVE_FMA
template <class T, std::size_t L>
HWY_INLINE Quick<T, L> each(decltype(isa::fma), Quick<T, L> a, Quick<T, L> b, Quick<T, L> c) {
  return {Strip<T, L>(hn::MulAdd(a.v, b.v, c.v)), hn::Or(hn::Or(a.bad, b.bad), c.bad)};
}
template <class T, std::size_t L>
HWY_INLINE Quick<T, L> each(decltype(isa::div_fmas), Quick<T, L> a, Quick<T, L> b, Quick<T, L> c,
                            typename Strip<T, L>::M vcc) {
  return {Strip<T, L>(hn::MulAdd(a.v, b.v, c.v)), hn::RebindMask(typename Strip<T, L>::D(), vcc.m)};
}
#endif
template <class T, std::size_t L>
HWY_INLINE auto each(decltype(isa::div_scale), Quick<T, L> a, Quick<T, L> denominator,
                     Quick<T, L> numerator) {
  const Quick<T, L> same(a, hard_to_divide<T, L>(denominator, numerator));
  return isa::with_mask(same, Strip<T, L>::M::from_bits(0));
}
template <class T, std::size_t L>
HWY_INLINE Quick<T, L> each(decltype(isa::div_fixup), Quick<T, L> quotient,
                            Quick<T, L> denominator, Quick<T, L> numerator) {
  const typename Strip<T, L>::D d;
  const auto sign = hn::And(hn::Xor(denominator.v, numerator.v), hn::SignBit(d));
  return {Strip<T, L>(hn::Or(magnitude(quotient).v, sign)),
          hard_to_divide<T, L>(denominator, numerator)};
}
template <class T, std::size_t L>
HWY_INLINE Quick<T, L> each(decltype(isa::rcp), Quick<T, L> a) {
  const auto one = hn::Set(typename Strip<T, L>::D(), typename Strip<T, L>::Lane{1});
  return {Strip<T, L>(hn::Div(one, a.v)), extreme<T, L>(a, std::is_same_v<T, F32> ? 125 : 1000)};
}
template <class T, std::size_t L>
HWY_INLINE Quick<T, L> each(decltype(isa::sqrt), Quick<T, L> a) {
  // Positive and normal: one unsigned comparison of the bits.
  using F = number::Format<isa::Scalar<T>>;
  using B = typename Strip<T, L>::Bits;
  const typename Strip<T, L>::DBits d;
  const auto above = hn::Sub(hn::BitCast(d, a.v), hn::Set(d, B{F::kHidden}));
  const auto normal = hn::Lt(above, hn::Set(d, static_cast<B>(F::kInfinity - F::kHidden)));
  return {Strip<T, L>(hn::Sqrt(a.v)), hn::RebindMask(typename Strip<T, L>::D(), hn::Not(normal))};
}

/// Everything else is not quick.
template <class S>
HWY_INLINE S ordinary(S value) { return value; }
template <class T, std::size_t L>
HWY_INLINE Strip<T, L> ordinary(Quick<T, L> value) { return value; }
template <class F, class T, std::size_t L, class... S>
HWY_INLINE auto each(isa::LaneFunction<F> function, Quick<T, L> first, S... rest) {
  return each(function, ordinary(first), ordinary(rest)...);
}

/// Is there a NaN, or a lane without a result, in any of four strips?
template <class T, std::size_t L>
HWY_INLINE bool any_bad(const Quick<T, L>& a, const Quick<T, L>& b, const Quick<T, L>& c,
                        const Quick<T, L>& e) {
#if HWY_TARGET <= HWY_AVX3
  // One comparison tests two registers.
  const auto bad = static_cast<std::uint32_t>((a.bad.raw | b.bad.raw) | (c.bad.raw | e.bad.raw));
  if constexpr (std::is_same_v<T, F32>) {
    const __mmask16 first = _mm512_cmp_ps_mask(a.v.raw, b.v.raw, _CMP_UNORD_Q);
    const __mmask16 second = _mm512_cmp_ps_mask(c.v.raw, e.v.raw, _CMP_UNORD_Q);
    return !_kortestz_mask16_u8(static_cast<__mmask16>(first | bad), second);
  } else {
    const __mmask8 first = _mm512_cmp_pd_mask(a.v.raw, b.v.raw, _CMP_UNORD_Q);
    const __mmask8 second = _mm512_cmp_pd_mask(c.v.raw, e.v.raw, _CMP_UNORD_Q);
    return !_kortestz_mask8_u8(static_cast<__mmask8>(first | bad), second);
  }
#else
  const typename Strip<T, L>::D d;
  const auto nan = hn::Or(hn::Or(hn::IsNaN(a.v), hn::IsNaN(b.v)),
                          hn::Or(hn::IsNaN(c.v), hn::IsNaN(e.v)));
  const auto bad = hn::Or(hn::Or(a.bad, b.bad), hn::Or(c.bad, e.bad));
  return !hn::AllFalse(d, hn::Or(nan, bad));
#endif
}

/// The strip of a result with or without a lane mask.
template <class T, std::size_t L>
HWY_INLINE const Quick<T, L>& value_of(const Quick<T, L>& result) { return result; }
template <class T, std::size_t L, class M>
HWY_INLINE const Quick<T, L>& value_of(const isa::Masked<Quick<T, L>, M>& result) {
  return result.value;
}

/// A strip as a quick one; masks stay as they are.
template <class T, std::size_t L>
HWY_INLINE Quick<T, L> quick_of(Strip<T, L> value) { return Quick<T, L>(value); }
template <class Bits, std::size_t L>
HWY_INLINE StripMask<Bits, L> quick_of(StripMask<Bits, L> mask) { return mask; }

template <class R>
inline constexpr bool kIsQuick = false;
template <class T, std::size_t L>
inline constexpr bool kIsQuick<Quick<T, L>> = true;
template <class T, std::size_t L, class M>
inline constexpr bool kIsQuick<isa::Masked<Quick<T, L>, M>> = true;

/// True if a body evaluated on these (quick strips and masks) gives a quick result.
template <class Body, class... S>
constexpr bool stays_quick() {
  if constexpr (std::is_invocable_v<Body, S...>) return kIsQuick<std::invoke_result_t<Body, S...>>;
  else return false;
}

}  // namespace wavetank::execute::WAVETANK_HOST
