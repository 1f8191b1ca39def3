// Float functions of lanes by others (lane_forms.hpp): conversions, cube maps, the multiplications
// whose zero wins, and f16 by f32.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "isa/integer_forms.hpp"

namespace wavetank::isa {

namespace detail {
constexpr std::uint32_t bits_of(float a) { return std::bit_cast<std::uint32_t>(a); }
template <class F>
F size_of(F a) {
  using U = WordsLike<F>;
  return as<F32>(as<U32>(a) & U(0x7fffffffu));
}
template <class F>
F opposite(F a) {
  using U = WordsLike<F>;
  return as<F32>(as<U32>(a) ^ U(0x80000000u));
}
/// Denormals to zero of their sign.
template <class F>
F without_denormals(F a) {
  using U = WordsLike<F>;
  const U bits = as<U32>(a);
  const auto tiny = (bits & U(0x7fffffffu)) < U(0x00800000u);
  return as<F32>(select(tiny, bits & U(0x80000000u), bits));
}
template <class V>
auto as_float(V a) {
  if constexpr (std::is_same_v<typename V::Type, F32>) {
    return a;
  } else {
    return convert<F32>(a);
  }
}

}  // namespace detail

// ---- Conversions -------------------------------------------------------------------------------

template <class F>
auto form(decltype(f32_to_i32_flr), F a) {
  return convert<I32>(floor(a));
}
template <class F>
auto form(decltype(f32_to_i32_rpi), F a) {
  return convert<I32>(floor(a + F(detail::bits_of(0.5f))));
}
template <class U>
auto form(decltype(off_f32_i4), U a) {
  const auto whole = convert<F32>(as<I32>(((a & U(15u)) ^ U(8u)) - U(8u)));
  return whole * decltype(whole)(detail::bits_of(0.0625f));
}

namespace detail {
/// a, stopped at +-1, times `steps`, rounded to the nearest integer: a fused sum with a number
/// whose last bit counts ones rounds once.
template <class F>
auto nearest_step(F a, float steps) {
  using U = WordsLike<F>;
  using I = decltype(as<I32>(std::declval<U>()));
  constexpr std::uint32_t kMagic = bits_of(0x1.8p23f);
  const F one(bits_of(1.0f)), minus_one(bits_of(-1.0f)), magic(kMagic);
  const F stopped = select(one < a, one, select(a < minus_one, minus_one, a));
  const I count = as<I32>(as<U32>(fma(stopped, F(bits_of(steps)), magic)) - U(kMagic));
  return select(unordered(a, a), I(0), count);
}
template <class V>
auto snorm_word(V a) {
  return nearest_step(as_float(a), 32767.0f);
}
template <class V>
auto unorm_word(V a) {
  const auto count = nearest_step(as_float(a), 65535.0f);
  return as<U32>(max(count, decltype(count)(0)));
}
}  // namespace detail

template <class V>
auto form(decltype(to_snorm16), V a) {
  return convert<I16>(detail::snorm_word(a));
}
template <class V>
auto form(decltype(to_unorm16), V a) {
  return convert<U16>(detail::unorm_word(a));
}
template <class V>
auto form(decltype(cvt_pknorm_i16), V a, V b) {
  return halves_of(as<U32>(detail::snorm_word(a)), as<U32>(detail::snorm_word(b)));
}
template <class V>
auto form(decltype(cvt_pknorm_u16), V a, V b) {
  return halves_of(detail::unorm_word(a), detail::unorm_word(b));
}
template <class F, class U>
U form(decltype(cvt_pk_u8), F a, U index, U base) {
  const U byte = min(convert<U32>(rndne(a)), U(0xffu));
  const U shift = (index & U(3u)) << U(3u);
  return (base & ~(U(0xffu) << shift)) | (byte << shift);
}

// ---- f32 ---------------------------------------------------------------------------------------

template <class F>
F form(decltype(mul_legacy), F a, F b) {
  const F zero(0u);
  return select((a == zero) | (b == zero), zero, a * b);
}
template <class F>
F form(decltype(mad_legacy), F a, F b, F c) {
  using detail::without_denormals;
  const F product = mul_legacy(without_denormals(a), without_denormals(b));
  return without_denormals(without_denormals(product) + without_denormals(c));
}

namespace detail {
/// What `of_z`, `of_y` or `of_x` says where that axis is the longest; ties prefer z, then y.
template <class F>
F by_axis(F x, F y, F z, F of_x, F of_y, F of_z) {
  const F size_x = size_of(x), size_y = size_of(y), size_z = size_of(z);
  const auto is_z = (size_x <= size_z) & (size_y <= size_z);
  return select(is_z, of_z, select(size_x <= size_y, of_y, of_x));
}
template <class F>
F if_negative(F a, F negative, F otherwise) {
  return select(a < F(0u), negative, otherwise);
}
}  // namespace detail

template <class F>
F form(decltype(cubeid), F x, F y, F z) {
  const auto face = [](F axis, float if_negative, float otherwise) {
    return detail::if_negative(axis, F(detail::bits_of(if_negative)),
                               F(detail::bits_of(otherwise)));
  };
  return detail::by_axis(x, y, z, face(x, 1.0f, 0.0f), face(y, 3.0f, 2.0f), face(z, 5.0f, 4.0f));
}
template <class F>
F form(decltype(cubesc), F x, F y, F z) {
  using detail::if_negative, detail::opposite;
  return detail::by_axis(x, y, z, if_negative(x, z, opposite(z)), x,
                         if_negative(z, opposite(x), x));
}
template <class F>
F form(decltype(cubetc), F x, F y, F z) {
  using detail::if_negative, detail::opposite;
  return detail::by_axis(x, y, z, opposite(y), if_negative(y, opposite(z), z), opposite(y));
}
template <class F>
F form(decltype(cubema), F x, F y, F z) {
  const F major = detail::by_axis(x, y, z, x, y, z);
  return major + major;
}

// ---- f16, by f32 -------------------------------------------------------------------------------

template <class V>
inline constexpr bool kIsHalf = std::is_same_v<typename V::Type, F16>;

/// Functions whose f32 result for an f16 is an f16, too.
template <class F>
inline constexpr bool kKeepsHalves =
    std::is_same_v<F, decltype(trunc)> || std::is_same_v<F, decltype(ceil)> ||
    std::is_same_v<F, decltype(floor)> || std::is_same_v<F, decltype(rndne)> ||
    std::is_same_v<F, decltype(frexp_mant)>;
template <class F, class H>
  requires(kIsHalf<H> && kKeepsHalves<const LaneFunction<F>>)
H form(LaneFunction<F> function, H a) {
  return convert<F16>(function(convert<F32>(a)));
}
template <class I>
  requires(sizeof(Scalar<typename I::Type>) == 2)
auto form(decltype(convert<F16>), I a) {
  if constexpr (std::is_same_v<typename I::Type, U16>) {
    return convert<F16>(convert<F32>(as<I32>(convert<U32>(a))));
  } else {
    return convert<F16>(convert<F32>(convert<I32>(a)));
  }
}
template <class H>
  requires kIsHalf<H>
auto form(decltype(convert<U16>), H a) {
  const auto whole = convert<U32>(convert<F32>(a));
  return convert<U16>(min(whole, std::remove_const_t<decltype(whole)>(0xffffu)));
}
template <class H>
  requires kIsHalf<H>
auto form(decltype(convert<I16>), H a) {
  const auto whole = convert<I32>(convert<F32>(a));
  using I = std::remove_const_t<decltype(whole)>;
  return convert<I16>(max(min(whole, I(32767)), I(-32768)));
}
template <class H>
  requires kIsHalf<H>
auto form(decltype(frexp_exp<I16>), H a) {
  return convert<I16>(frexp_exp<I32>(convert<F32>(a)));
}
/// The fraction fits an f32; rounded, it may be 1.
template <class H>
  requires kIsHalf<H>
H form(decltype(fract), H a) {
  const H part = convert<F16>(fract(convert<F32>(a))), below_one(0x3bffu);
  return select(below_one < part, below_one, part);
}
/// By 2^60 and more every number but zero becomes infinite or zero.
template <class H, class S>
  requires kIsHalf<H>
H form(decltype(ldexp), H a, S exponent) {
  const auto wide = convert<I32>(exponent);
  using I = decltype(convert<I32>(exponent));
  return convert<F16>(ldexp(convert<F32>(a), max(min(wide, I(60)), I(-60))));
}
/// number::div_fixup's cases, the last ones first.
template <class H>
  requires kIsHalf<H>
H form(decltype(div_fixup), H quotient, H denominator, H numerator) {
  using U = decltype(as<U16>(quotient));
  const U q = as<U16>(quotient), d = as<U16>(denominator), n = as<U16>(numerator);
  const U infinity(0x7c00u), all(0x7fffu), quiet(0x0200u), zero(0u);
  const U sign = (d ^ n) & U(0x8000u), size_d = d & all, size_n = n & all;
  U result = select(infinity < (q & all), infinity, q & all) | sign;
  result = select((size_d == infinity) | (size_n == zero), sign, result);
  result = select((size_d == zero) | (size_n == infinity), infinity | sign, result);
  const auto neither = ((size_d | size_n) == zero) | ((size_d & size_n) == infinity);
  result = select(neither, U(0xfe00u), result);
  result = select(infinity < size_d, d | quiet, result);
  return as<F16>(select(infinity < size_n, n | quiet, result));
}

}  // namespace wavetank::isa
