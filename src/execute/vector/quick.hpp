// Quick strips: f32 and f64 arithmetic that leaves the NaN rule for later.
//
// The GPU fixes which NaN a result is (number/arithmetic.hpp), so every host addition would be
// followed by a test. NaNs are rare: a row whose body is one of + - * fma is evaluated for four
// strips first, one test serves all four, and only if it finds a NaN are they evaluated again with
// the rule. A body that does anything else gets ordinary strips.
#pragma once

#include "execute/vector/strip.hpp"
#include "execute/vector/strip_float.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// A strip whose arithmetic may give any NaN.
template <class T, std::size_t L>
struct Quick : Strip<T, L> {
  using Base = Strip<T, L>;
  HWY_INLINE explicit Quick(Base value) : Base(value) {}
  friend HWY_INLINE Quick operator+(Quick a, Quick b) { return Quick(Base(hn::Add(a.v, b.v))); }
  friend HWY_INLINE Quick operator-(Quick a, Quick b) { return Quick(Base(hn::Sub(a.v, b.v))); }
  friend HWY_INLINE Quick operator*(Quick a, Quick b) { return Quick(Base(hn::Mul(a.v, b.v))); }
};
#if HWY_NATIVE_FMA
template <class T, std::size_t L>
HWY_INLINE Quick<T, L> each(decltype(isa::fma), Quick<T, L> a, Quick<T, L> b, Quick<T, L> c) {
  return Quick<T, L>(Strip<T, L>(hn::MulAdd(a.v, b.v, c.v)));
}
#endif

/// Everything else is not quick.
template <class S>
HWY_INLINE S ordinary(S value) { return value; }
template <class T, std::size_t L>
HWY_INLINE Strip<T, L> ordinary(Quick<T, L> value) { return value; }
template <class F, class T, std::size_t L, class... S>
HWY_INLINE auto each(isa::LaneFunction<F> function, Quick<T, L> first, S... rest) {
  return each(function, ordinary(first), ordinary(rest)...);
}

/// Is there a NaN in any of four strips?
template <class T, std::size_t L>
HWY_INLINE bool any_nan(const Quick<T, L> (&s)[4]) {
#if HWY_TARGET <= HWY_AVX3
  // One comparison tests two registers.
  if constexpr (std::is_same_v<T, F32>) {
    const __mmask16 first = _mm512_cmp_ps_mask(s[0].v.raw, s[1].v.raw, _CMP_UNORD_Q);
    const __mmask16 second = _mm512_cmp_ps_mask(s[2].v.raw, s[3].v.raw, _CMP_UNORD_Q);
    return !_kortestz_mask16_u8(first, second);
  } else {
    const __mmask8 first = _mm512_cmp_pd_mask(s[0].v.raw, s[1].v.raw, _CMP_UNORD_Q);
    const __mmask8 second = _mm512_cmp_pd_mask(s[2].v.raw, s[3].v.raw, _CMP_UNORD_Q);
    return !_kortestz_mask8_u8(first, second);
  }
#else
  const typename Strip<T, L>::D d;
  const auto nan = hn::Or(hn::Or(hn::IsNaN(s[0].v), hn::IsNaN(s[1].v)),
                          hn::Or(hn::IsNaN(s[2].v), hn::IsNaN(s[3].v)));
  return !hn::AllFalse(d, nan);
#endif
}

/// True if a body evaluated on quick strips of T stays quick.
template <class Body, class T, std::size_t L, unsigned kSources>
constexpr bool stays_quick() {
  if constexpr (std::is_same_v<T, F32> || std::is_same_v<T, F64>) {
    using Q = Quick<T, L>;
    const auto result_is_quick = []<class... S>(S*...) {
      if constexpr (std::is_invocable_v<Body, S...>) {
        return std::is_same_v<std::invoke_result_t<Body, S...>, Q>;
      } else {
        return false;
      }
    };
    constexpr Q* kNone = nullptr;
    if constexpr (kSources == 2) return result_is_quick(kNone, kNone);
    if constexpr (kSources == 3) return result_is_quick(kNone, kNone, kNone);
  }
  return false;
}

}  // namespace wavetank::execute::WAVETANK_HOST
