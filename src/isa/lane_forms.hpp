// Functions of lanes by others: what a domain without an operation of its own for one evaluates, in
// default MODE. number/ defines these functions, too, and tests hold both against each other.
#pragma once

#include <cstdint>
#include <type_traits>

#include "isa/rare_functions.hpp"

namespace wavetank::isa {

namespace detail {

/// Values of other types in the domain of V.
template <class V>
using WordsLike = decltype(as<U32>(std::declval<V>()));
template <class V>
using FloatsLike = decltype(as<F32>(std::declval<WordsLike<V>>()));

template <class U>
U byte_of(U a, unsigned shift) {
  return shift == 24 ? a >> U(24u) : (a >> U(shift)) & U(0xffu);
}
/// |a - b| of unsigned numbers.
template <class U>
U distance(U a, U b) {
  return max(a, b) - min(a, b);
}
template <class U>
U halves_of(U low, U high) {
  return (low & U(0xffffu)) | (high << U(16u));
}
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

// ---- Bits ------------------------------------------------------------------------------------

template <class U>
U form(decltype(bitreverse), U a) {
  const auto swapped = [](U v, std::uint32_t mask, unsigned shift) {
    return ((v >> U(shift)) & U(mask)) | ((v & U(mask)) << U(shift));
  };
  a = swapped(a, 0x55555555u, 1);
  a = swapped(a, 0x33333333u, 2);
  a = swapped(a, 0x0f0f0f0fu, 4);
  a = swapped(a, 0x00ff00ffu, 8);
  return (a >> U(16u)) | (a << U(16u));
}
template <class U>
U form(decltype(popcount), U a) {
  a = a - ((a >> U(1u)) & U(0x55555555u));
  a = (a & U(0x33333333u)) + ((a >> U(2u)) & U(0x33333333u));
  a = (a + (a >> U(4u))) & U(0x0f0f0f0fu);
  a = a + (a >> U(8u));
  return (a + (a >> U(16u))) & U(0x3fu);
}
template <class U>
U form(decltype(ffbl), U a) {
  const U lowest = a & (U(0u) - a);
  return select(a == U(0u), U(~0u), U(31u) - ffbh(lowest));
}

// ---- Averages and differences of bytes ---------------------------------------------------------

template <class U>
U form(decltype(lerp_u8), U a, U b, U c) {
  U result(0u);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    using detail::byte_of;
    const U sum = byte_of(a, shift) + byte_of(b, shift) + ((c >> U(shift)) & U(1u));
    result = result | ((sum >> U(1u)) << U(shift));
  }
  return result;
}
template <class U>
U form(decltype(sad_u8), U a, U b, U c) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    c = c + detail::distance(detail::byte_of(a, shift), detail::byte_of(b, shift));
  }
  return c;
}
template <class U>
U form(decltype(sad_hi_u8), U a, U b, U c) {
  return (sad_u8(a, b, U(0u)) << U(16u)) + c;
}
template <class U>
U form(decltype(sad_u16), U a, U b, U c) {
  const U low = detail::distance(a & U(0xffffu), b & U(0xffffu));
  return c + low + detail::distance(a >> U(16u), b >> U(16u));
}
template <class U>
U form(decltype(sad_u32), U a, U b, U c) {
  return c + detail::distance(a, b);
}
template <class U>
U form(decltype(msad_u8), U a, U b, U c) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const U reference = detail::byte_of(b, shift);
    const U difference = detail::distance(detail::byte_of(a, shift), reference);
    c = c + select(reference == U(0u), U(0u), difference);
  }
  return c;
}

namespace detail {
/// `sum` of b with the four windows of a, each added to a half of c.
template <class Sum, class W, class U>
W sums_of_windows(Sum sum, W a, U b, W c) {
  W result(0u);
  for (unsigned i = 0; i < 4; ++i) {
    const U base = convert<U32>(c >> W(16 * i)) & U(0xffffu);
    const U half = sum(convert<U32>(a >> W(8 * i)), b, base) & U(0xffffu);
    result = result | (convert<U64>(half) << W(16 * i));
  }
  return result;
}
}  // namespace detail

template <class W, class U>
W form(decltype(qsad_pk_u16_u8), W a, U b, W c) {
  return detail::sums_of_windows(sad_u8, a, b, c);
}
template <class W, class U>
W form(decltype(mqsad_pk_u16_u8), W a, U b, W c) {
  return detail::sums_of_windows(msad_u8, a, b, c);
}

// ---- Conversions -------------------------------------------------------------------------------

template <class F>
auto form(decltype(f32_to_i32_flr), F a) {
  return convert<I32>(floor(a));
}
template <class F>
auto form(decltype(f32_to_i32_rpi), F a) {
  return convert<I32>(floor(a + F(0x3f000000u)));
}
template <class U>
auto form(decltype(off_f32_i4), U a) {
  const auto whole = convert<F32>(as<I32>(((a & U(15u)) ^ U(8u)) - U(8u)));
  return whole * decltype(whole)(0x3d800000u);
}

namespace detail {
/// a, stopped at +-1, times `steps`, rounded to the nearest integer: a fused sum with a number
/// whose last bit counts ones rounds once.
template <class F>
auto nearest_step(F a, std::uint32_t steps) {
  using U = WordsLike<F>;
  using I = decltype(as<I32>(std::declval<U>()));
  const F one(0x3f800000u), minus_one(0xbf800000u), magic(0x4b400000u);
  const F stopped = select(one < a, one, select(a < minus_one, minus_one, a));
  const I count = as<I32>(as<U32>(fma(stopped, F(steps), magic)) - U(0x4b400000u));
  return select(unordered(a, a), I(0), count);
}
template <class V>
auto snorm_word(V a) {
  return nearest_step(as_float(a), 0x46fffe00u);
}
template <class V>
auto unorm_word(V a) {
  const auto count = nearest_step(as_float(a), 0x477fff00u);
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
  return detail::halves_of(as<U32>(detail::snorm_word(a)), as<U32>(detail::snorm_word(b)));
}
template <class V>
auto form(decltype(cvt_pknorm_u16), V a, V b) {
  return detail::halves_of(detail::unorm_word(a), detail::unorm_word(b));
}
template <class U>
U form(decltype(sat_pk_u8_i16), U a) {
  using I = decltype(as<I32>(a));
  const auto stopped = [](I v) { return as<U32>(min(max(v, I(0)), I(255))); };
  const I signed_halves = as<I32>(a);
  const U low = stopped((signed_halves << I(16)) >> I(16));
  return low | (stopped(signed_halves >> I(16)) << U(8u));
}
template <class F, class U>
U form(decltype(cvt_pk_u8), F a, U index, U base) {
  const U byte = min(convert<U32>(rndne(a)), U(0xffu));
  const U shift = (index & U(3u)) << U(3u);
  return (base & ~(U(0xffu) << shift)) | (byte << shift);
}

// ---- gfx942's 8-bit floats
// -----------------------------------------------------------------------

namespace detail {

/// What tells the formats apart: of fp8 3 bits of mantissa and a bias of 8, of bf8 2 and 16.
struct NarrowFloat {
  unsigned mantissa_bits;
  unsigned bias;
  constexpr unsigned dropped_bits() const { return 23 - mantissa_bits; }
  /// Exponent field, as an f32, of the least normal number.
  constexpr unsigned least_field() const { return 128 - bias; }
};
inline constexpr NarrowFloat kFp8{3, 8}, kBf8{2, 16};

/// The low byte: its bits under another bias. Denormals are what they are as bits of a number of
/// the least exponent, less that number: products of f32's denormals are slow on hosts.
template <class U>
auto widened(U a, NarrowFloat format) {
  const U byte = a & U(0xffu), size = byte & U(0x7fu), least(format.least_field() << 23);
  const U moved = size << U(format.dropped_bits());
  const U denormal = as<U32>(as<F32>(moved + least) - as<F32>(least));
  const U normal = moved + (least - U(1u << 23));
  const U value = select(size < U(1u << format.mantissa_bits), denormal, normal);
  return as<F32>(select(byte == U(0x80u), U(0x7fc00000u), value | ((a & U(0x80u)) << U(24u))));
}
template <class U>
auto widened_pair(U a, NarrowFloat format) {
  const auto low = convert<U64>(as<U32>(widened(a, format)));
  const auto high = convert<U64>(as<U32>(widened(a >> U(8u), format)));
  return low | (high << decltype(low)(32u));
}

/// Of a magnitude's rounded bits the byte; NaNs, infinities and numbers too large for the format
/// have more bits.
template <class U>
U narrow_byte(U a, U bits) {
  const U negative = (a >> U(24u)) & U(0x80u);
  const U finite = select(bits == U(0u), U(0u), bits | negative);
  return select(U(0x7fu) < bits, U(0x80u), finite);
}
/// The magnitude as if it had the format's bias.
template <class U>
U rebiased(U size, NarrowFloat format) {
  return size - U((127 - format.bias) << 23);
}
/// To nearest even. Below the normal numbers a sum rounds to the place of the least one.
template <class F>
auto narrowed(F a, NarrowFloat format) {
  using U = WordsLike<F>;
  const U bits = as<U32>(a), size = bits & U(0x7fffffffu);
  const unsigned dropped = format.dropped_bits();
  const U exact = rebiased(size, format), last = (exact >> U(dropped)) & U(1u);
  const U normal = (exact + last + U((1u << (dropped - 1)) - 1)) >> U(dropped);
  const unsigned magic = (127 + 23 + 1 - format.bias - format.mantissa_bits) << 23;
  const U denormal = as<U32>(as<F32>(size) + F(magic)) - U(magic);
  return narrow_byte(bits, select(size < U(format.least_field() << 23), denormal, normal));
}
/// With random bits below the last one kept.
template <class F, class U>
U narrowed_by(F a, U seed, NarrowFloat format) {
  const U bits = as<U32>(a), size = bits & U(0x7fffffffu);
  const unsigned dropped = format.dropped_bits(), least = format.least_field();
  const U random = seed >> U(32 - dropped);
  const U below = U(least) - (size >> U(23u));
  const U mantissa = (size & U(0x7fffffu)) | U(0x800000u);
  const U shifted = mantissa >> min(below, U(31u));
  const U grid = select(size < U(least << 23), shifted, rebiased(size, format));
  return narrow_byte(bits, (grid + random) >> U(dropped));
}

}  // namespace detail

template <class U>
auto form(decltype(fp8_to_f32), U a) {
  return detail::widened(a, detail::kFp8);
}
template <class U>
auto form(decltype(bf8_to_f32), U a) {
  return detail::widened(a, detail::kBf8);
}
template <class U>
auto form(decltype(pk_fp8_to_f32), U a) {
  return detail::widened_pair(a, detail::kFp8);
}
template <class U>
auto form(decltype(pk_bf8_to_f32), U a) {
  return detail::widened_pair(a, detail::kBf8);
}
template <class F>
auto form(decltype(pk_f32_to_fp8), F a, F b) {
  const auto low = detail::narrowed(a, detail::kFp8);
  return convert<U16>(low | (detail::narrowed(b, detail::kFp8) << decltype(low)(8u)));
}
template <class F>
auto form(decltype(pk_f32_to_bf8), F a, F b) {
  const auto low = detail::narrowed(a, detail::kBf8);
  return convert<U16>(low | (detail::narrowed(b, detail::kBf8) << decltype(low)(8u)));
}
template <class F, class U>
U form(decltype(f32_to_fp8_stochastic), F a, U seed) {
  return detail::narrowed_by(a, seed, detail::kFp8);
}
template <class F, class U>
U form(decltype(f32_to_bf8_stochastic), F a, U seed) {
  return detail::narrowed_by(a, seed, detail::kBf8);
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
  const auto face = [](F axis, unsigned if_negative, unsigned otherwise) {
    return detail::if_negative(axis, F(if_negative), F(otherwise));
  };
  return detail::by_axis(x, y, z, face(x, 0x3f800000u, 0u), face(y, 0x40400000u, 0x40000000u),
                         face(z, 0x40a00000u, 0x40800000u));
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

// ---- f16, which f32 holds exactly
// ----------------------------------------------------------------

template <class V>
inline constexpr bool kIsHalf = std::is_same_v<typename V::Type, F16>;

template <class H>
  requires kIsHalf<H>
H form(decltype(frexp_mant), H a) {
  return convert<F16>(frexp_mant(convert<F32>(a)));
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

/// Whether a function has a form for these values.
template <class F, class... V>
concept HasForm = requires(F function, V... values) { form(function, values...); };

}  // namespace wavetank::isa
