// Integer functions of lanes by others (lane_forms.hpp): bits, packed conversions,
// averages and differences of bytes, and what stops at the ends of a type.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "isa/rare_functions.hpp"

namespace wavetank::isa {

/// Words in the domain of V.
template <class V>
using WordsLike = decltype(as<U32>(std::declval<V>()));
/// Both values in the halves of a word.
template <class U>
U halves_of(U low, U high) {
  return (low & U(0xffffu)) | (high << U(16u));
}

namespace detail {
template <class U>
U byte_of(U a, unsigned shift) {
  return shift == 24 ? a >> U(24u) : (a >> U(shift)) & U(0xffu);
}
/// |a - b| of unsigned numbers.
template <class U>
U distance(U a, U b) {
  return max(a, b) - min(a, b);
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

template <class U>
  requires std::is_same_v<typename U::Type, I32>
auto form(decltype(ffbh), U a) {
  return ffbh(as<U32>(a ^ (a >> U(31))));
}
template <class I>
  requires(!number::Float<Scalar<typename I::Type>>)
I form(decltype(med3), I a, I b, I c) {
  return max(min(a, b), min(max(a, b), c));
}

// ---- Both in a word ----------------------------------------------------------------------------

template <class U>
U form(decltype(cvt_pk_u16_u32), U a, U b) {
  return halves_of(min(a, U(0xffffu)), min(b, U(0xffffu)));
}
template <class I>
auto form(decltype(cvt_pk_i16_i32), I a, I b) {
  const auto stopped = [](I v) { return as<U32>(max(min(v, I(32767)), I(-32768))); };
  return halves_of(stopped(a), stopped(b));
}
template <class U>
U form(decltype(sat_pk_u8_i16), U a) {
  using I = decltype(as<I32>(a));
  const auto stopped = [](I v) { return as<U32>(min(max(v, I(0)), I(255))); };
  const I signed_halves = as<I32>(a);
  const U low = stopped((signed_halves << I(16)) >> I(16));
  return low | (stopped(signed_halves >> I(16)) << U(8u));
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
/// `sum` of b with the four windows of a, each added to a half of c and ended by `end`.
template <class Sum, class End, class W, class U>
W sums_of_windows(Sum sum, End end, W a, U b, W c) {
  W result(0u);
  for (unsigned i = 0; i < 4; ++i) {
    const U base = convert<U32>(c >> W(16 * i)) & U(0xffffu);
    const U half = end(sum(convert<U32>(a >> W(8 * i)), b, base));
    result = result | (convert<U64>(half) << W(16 * i));
  }
  return result;
}
inline constexpr auto wrapped_half = [](auto a) { return a & decltype(a)(0xffffu); };
inline constexpr auto stopped_half = [](auto a) { return min(a, decltype(a)(0xffffu)); };
}  // namespace detail

template <class W, class U>
W form(decltype(qsad_pk_u16_u8), W a, U b, W c) {
  return detail::sums_of_windows(sad_u8, detail::wrapped_half, a, b, c);
}
template <class W, class U>
W form(decltype(mqsad_pk_u16_u8), W a, U b, W c) {
  return detail::sums_of_windows(msad_u8, detail::wrapped_half, a, b, c);
}
template <class W, class U>
W form(decltype(qsad_saturate), W a, U b, W c) {
  return detail::sums_of_windows(sad_u8, detail::stopped_half, a, b, c);
}
template <class W, class U>
W form(decltype(mqsad_saturate), W a, U b, W c) {
  return detail::sums_of_windows(msad_u8, detail::stopped_half, a, b, c);
}

// ---- Stopped at the ends of a type -------------------------------------------------------------

namespace detail {
template <class V>
using ScalarLike = Scalar<typename V::Type>;
template <class V>
inline constexpr bool kIsSigned = std::is_signed_v<ScalarLike<V>>;
/// The least number for a negative a, otherwise the largest.
template <class I>
I end_towards(I a) {
  return (a >> I(8 * sizeof(ScalarLike<I>) - 1)) ^ I(std::numeric_limits<ScalarLike<I>>::max());
}
/// A word stopped at the ends of i16.
template <class I>
auto signed_half(I word) {
  return convert<I16>(max(min(word, I(32767)), I(-32768)));
}
}  // namespace detail

template <class I>
I form(decltype(add_saturate), I a, I b) {
  if constexpr (std::is_same_v<typename I::Type, I16>) {
    return detail::signed_half(convert<I32>(a) + convert<I32>(b));
  } else if constexpr (detail::kIsSigned<I>) {
    const I sum = a + b;
    return select(((a ^ sum) & (b ^ sum)) < I(0), detail::end_towards(a), sum);
  } else {
    const I sum = a + b;
    return select(sum < a, ~I(0), sum);
  }
}
template <class I>
I form(decltype(sub_saturate), I a, I b) {
  if constexpr (std::is_same_v<typename I::Type, I16>) {
    return detail::signed_half(convert<I32>(a) - convert<I32>(b));
  } else if constexpr (detail::kIsSigned<I>) {
    const I difference = a - b;
    return select(((a ^ b) & (a ^ difference)) < I(0), detail::end_towards(a), difference);
  } else {
    return max(a, b) - b;
  }
}

/// Of 16 bits: words hold the exact result.
template <class I>
  requires(sizeof(detail::ScalarLike<I>) == 2)
I form(decltype(mad_saturate), I a, I b, I c) {
  if constexpr (detail::kIsSigned<I>) {
    return detail::signed_half(convert<I32>(a) * convert<I32>(b) + convert<I32>(c));
  } else {
    const auto sum = convert<U32>(a) * convert<U32>(b) + convert<U32>(c);
    return convert<U16>(min(sum, std::remove_const_t<decltype(sum)>(0xffffu)));
  }
}
/// The exact result is a word if its upper word is the sign of the lower one.
template <class I>
  requires(sizeof(detail::ScalarLike<I>) == 4)
I form(decltype(mad_saturate), I a, I b, I c) {
  const I low = a * b;
  if constexpr (detail::kIsSigned<I>) {
    const I sum = low + c;
    const auto carry = as<U32>(sum) < as<U32>(low);
    const I high = mul_hi(a, b) + (c >> I(31)) + select(carry, I(1), I(0));
    return select((sum >> I(31)) == high, sum, detail::end_towards(high));
  } else {
    return add_saturate(select(mul_hi(a, b) == I(0), low, ~I(0)), c);
  }
}
template <class I, class W>
auto form(decltype(mad_wide_saturate), I a, I b, W c) {
  const W product = mul_wide(a, b), sum = add_saturate(product, c);
  if constexpr (detail::kIsSigned<W>) {
    return with_mask(sum, sum < W(0));
  } else {
    return with_mask(sum, ~c < product);
  }
}

template <class U, class M>
auto form(decltype(add_carry_saturate), U a, U b, M carry) {
  const auto sum = add_carry(a, b, carry);
  return with_mask(select(sum.mask, ~U(0), sum.value), sum.mask);
}
template <class U, class M>
auto form(decltype(sub_borrow_saturate), U a, U b, M borrow) {
  const auto difference = sub_borrow(a, b, borrow);
  return with_mask(select(difference.mask, U(0), difference.value), difference.mask);
}

/// Sums of signed products are at most 2^31, whose negative is a word ...
template <class Dot, class P, class C>
C form(LaneFunction<Stopped<Dot>>, P a, P b, C c) {
  const C products = LaneFunction<Dot>()(a, b, C(0));
  if constexpr (detail::kIsSigned<C>) {
    return sub_saturate(c, C(0) - products);
  } else {
    return add_saturate(products, c);
  }
}
/// ... and of unsigned ones words, but for those of halves.
template <class P, class U>
U form(decltype(stopped(dot2_u32_u16)), P a, P b, U c) {
  const U x = as<U32>(a), y = as<U32>(b);
  const U low = (x & U(0xffffu)) * (y & U(0xffffu)), high = (x >> U(16u)) * (y >> U(16u));
  return add_saturate(high, add_saturate(low, c));
}

}  // namespace wavetank::isa
