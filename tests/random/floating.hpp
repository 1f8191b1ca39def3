// Floating-point operations whose results IEEE 754 fixes, and guarded conversions to integers.
#pragma once

#include "random/arithmetic.hpp"

#include <cmath>
#include <limits>

RANDOM_FN u16 bits(f16 a) { return a == a ? bit_cast<u16>(a) : u16{0x7e00}; }
RANDOM_FN u32 bits(f32 a) { return a == a ? bit_cast<u32>(a) : 0x7fc00000u; }
RANDOM_FN u64 bits(f64 a) { return a == a ? bit_cast<u64>(a) : 0x7ff8000000000000ull; }

template <typename T>
RANDOM_FN T plus(T a, T b) {
  return a + b;
}
template <typename T>
RANDOM_FN T minus(T a, T b) {
  return opaque(a) - b;
}
template <typename T>
RANDOM_FN T times(T a, T b) {
  return a * b;
}
RANDOM_FN f32 root(f32 a) { return sqrtf(a); }
RANDOM_FN f64 root(f64 a) { return sqrt(a); }
// Exact: a * b has 22 bits, and the sum rounds to f64 before f16 without meeting a false tie.
RANDOM_FN f16 fused(f16 a, f16 b, f16 c) {
#ifdef __HIP_DEVICE_COMPILE__
  return __builtin_fmaf16(a, b, c);
#else
  return static_cast<f16>(__builtin_fma(f64(a), f64(b), f64(c)));
#endif
}
RANDOM_FN f32 fused(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
RANDOM_FN f64 fused(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
RANDOM_FN f16 down(f16 a) { return __builtin_floorf16(a); }
RANDOM_FN f32 down(f32 a) { return __builtin_floorf(a); }
RANDOM_FN f64 down(f64 a) { return __builtin_floor(a); }
RANDOM_FN f16 up(f16 a) { return __builtin_ceilf16(a); }
RANDOM_FN f32 up(f32 a) { return __builtin_ceilf(a); }
RANDOM_FN f64 up(f64 a) { return __builtin_ceil(a); }
RANDOM_FN f16 nearest(f16 a) { return __builtin_rintf16(a); }
RANDOM_FN f32 nearest(f32 a) { return __builtin_rintf(a); }
RANDOM_FN f64 nearest(f64 a) { return __builtin_rint(a); }
RANDOM_FN f16 towards_zero(f16 a) { return __builtin_truncf16(a); }
RANDOM_FN f32 towards_zero(f32 a) { return __builtin_truncf(a); }
RANDOM_FN f64 towards_zero(f64 a) { return __builtin_trunc(a); }
RANDOM_FN f16 magnitude(f16 a) { return __builtin_fabsf16(a); }
RANDOM_FN f32 magnitude(f32 a) { return __builtin_fabsf(a); }
RANDOM_FN f64 magnitude(f64 a) { return __builtin_fabs(a); }
RANDOM_FN f32 half_away(f32 a) { return __builtin_roundf(a); }
RANDOM_FN f64 half_away(f64 a) { return __builtin_round(a); }
RANDOM_FN f32 with_sign(f32 a, f32 b) { return b == b ? __builtin_copysignf(a, b) : a; }
RANDOM_FN f64 with_sign(f64 a, f64 b) { return b == b ? __builtin_copysign(a, b) : a; }
RANDOM_FN f32 scaled(f32 a, u32 n) { return ldexpf(a, static_cast<int>(n % 601) - 300); }
RANDOM_FN f64 scaled(f64 a, u32 n) { return ldexp(a, static_cast<int>(n % 4401) - 2200); }
template <typename T>
RANDOM_FN bool is_finite(T a) {
  return a - a == T(0);
}
RANDOM_FN f32 fraction_and_exponent(f32 a) {
  int exponent = 0;
  const f32 mantissa = is_finite(a) ? frexpf(a, &exponent) : 0;
  return mantissa + static_cast<f32>(exponent);
}
RANDOM_FN f64 fraction_and_exponent(f64 a) {
  int exponent = 0;
  const f64 mantissa = is_finite(a) ? frexp(a, &exponent) : 0;
  return mantissa + exponent;
}
RANDOM_FN f32 remainder_of(f32 a, f32 b) {
  return is_finite(a) && b != 0 && is_finite(b) ? fmodf(a, b) : 0;
}
RANDOM_FN f64 remainder_of(f64 a, f64 b) {
  return is_finite(a) && b != 0 && is_finite(b) ? fmod(a, b) : 0;
}
template <typename T>
RANDOM_FN T smaller(T a, T b) {
  return without_minus_zero(a < b ? a : b);
}
template <typename T>
RANDOM_FN T larger(T a, T b) {
  return without_minus_zero(a > b ? a : b);
}
template <typename T>
RANDOM_FN T clamped(T a) {  // 0 for a NaN
  return without_minus_zero(a > T(0) ? (a < T(1) ? a : T(1)) : T(0));
}
// 0 for NaN, 1 infinite, 2 zero, 3 subnormal, 4 normal; 8 more for a negative number.
template <typename T>
RANDOM_FN u32 number_class(T a) {
  if (a != a) return 0;
  const u32 sign = a < T(0) ? 8 : 0;
  return sign + (__builtin_isinf(a) ? 1 : a == T(0) ? 2 : __builtin_isnormal(a) ? 4 : 3);
}

// Conversions to integers: 0 where the value does not fit, or the nearest value of the type.
template <typename F>
RANDOM_FN s32 to_s32(F a) {
  return a > F(-2.1e9) && a < F(2.1e9) ? static_cast<s32>(a) : 0;
}
template <typename F>
RANDOM_FN u32 to_u32(F a) {
  return a > F(-0.9) && a < F(4.2e9) ? static_cast<u32>(a) : 0;
}
template <typename F>
RANDOM_FN s64 to_s64(F a) {
  return a > F(-9.2e18) && a < F(9.2e18) ? static_cast<s64>(a) : 0;
}
template <typename F>
RANDOM_FN u64 to_u64(F a) {
  return a > F(-0.9) && a < F(1.84e19) ? static_cast<u64>(a) : 0;
}
template <typename To, typename F>
RANDOM_FN To saturated(F a) {
  constexpr bool is_signed = To(-1) < To(0);
  constexpr To highest = is_signed ? To((u128{1} << (8 * sizeof(To) - 1)) - 1) : To(~u128{0});
  constexpr To lowest = is_signed ? To(~highest) : To(0);
  if (a != a) return 0;
  if (a <= static_cast<F>(lowest)) return lowest;
  return a >= static_cast<F>(highest) ? highest : static_cast<To>(a);
}
template <typename V>
RANDOM_FN V v2_of(decltype(V{}.x + 0) x, decltype(V{}.x + 0) y) {
  using Element = __typeof__(V{}[0]);
  if constexpr (sizeof(Element) == 2 && Element(0.5) != Element(0))
    return V{opaque(static_cast<Element>(x)), opaque(static_cast<Element>(y))};
  else
    return V{static_cast<Element>(x), static_cast<Element>(y)};
}
