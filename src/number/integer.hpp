// Integer and bit operations that are more than one C++ operator. Semantics: CDNA3 ISA, the
// pseudo-code of the instructions named.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

#include "number/types.hpp"

namespace wavetank::number {

/// v_mul_hi_u32, s_mul_hi_u32: the high 32 bits of the 64-bit product.
constexpr std::uint32_t mul_hi_u32(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32);
}
/// v_mul_hi_i32, s_mul_hi_i32.
constexpr std::int32_t mul_hi_i32(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>((std::int64_t{a} * b) >> 32);
}
/// The low `width` bits (1 to 32), sign-extended.
constexpr std::int32_t sign_extend(std::uint32_t a, unsigned width) {
  return static_cast<std::int32_t>(a << (32 - width)) >> (32 - width);
}

/// A value of wider type put into T's range: what the clamp modifier does to integer results.
template <std::integral T>
constexpr T saturate(i128 a) {
  constexpr i128 kLow = std::numeric_limits<T>::min();
  constexpr i128 kHigh = std::numeric_limits<T>::max();
  return static_cast<T>(a < kLow ? kLow : (a > kHigh ? kHigh : a));
}
/// a + b stopped at the ends of T (v_add_u16, v_add_i32 ... with clamp).
template <std::integral T>
constexpr T add_saturate(T a, T b) {
  return saturate<T>(i128{a} + b);
}
/// a - b stopped at the ends of T.
template <std::integral T>
constexpr T sub_saturate(T a, T b) {
  return saturate<T>(i128{a} - b);
}
/// a * b + c computed exactly and stopped at the ends of T (v_mad_u16 and the like with clamp).
template <std::integral T>
constexpr T mad_saturate(T a, T b, T c) {
  return saturate<T>(i128{a} * b + c);
}

/// v_bfe_u32: `width`[4:0] bits of a from bit `offset`[4:0] on; width 0 gives 0.
constexpr std::uint32_t bfe_u32(std::uint32_t a, std::uint32_t offset, std::uint32_t width) {
  return (a >> (offset & 31)) & ((1u << (width & 31)) - 1);
}
/// v_bfe_i32: likewise, the result's top bit extended; the shift is arithmetic.
constexpr std::int32_t bfe_i32(std::int32_t a, std::uint32_t offset, std::uint32_t width) {
  if ((width & 31) == 0) return 0;
  return sign_extend(static_cast<std::uint32_t>(a >> (offset & 31)), width & 31);
}
/// v_bfrev_b32, s_brev_b32.
constexpr std::uint32_t bitreverse(std::uint32_t a) {
  a = ((a >> 1) & 0x55555555) | ((a & 0x55555555) << 1);
  a = ((a >> 2) & 0x33333333) | ((a & 0x33333333) << 2);
  a = ((a >> 4) & 0x0f0f0f0f) | ((a & 0x0f0f0f0f) << 4);
  a = ((a >> 8) & 0x00ff00ff) | ((a & 0x00ff00ff) << 8);
  return (a >> 16) | (a << 16);
}
/// s_brev_b64.
constexpr std::uint64_t bitreverse(std::uint64_t a) {
  return (std::uint64_t{bitreverse(static_cast<std::uint32_t>(a))} << 32) |
         bitreverse(static_cast<std::uint32_t>(a >> 32));
}
/// v_ffbh_u32, s_flbit_i32_b32: zeros above the highest one; all ones if there is none.
constexpr std::uint32_t ffbh_u32(std::uint32_t a) {
  return a == 0 ? ~0u : static_cast<std::uint32_t>(std::countl_zero(a));
}
/// v_ffbh_i32, s_flbit_i32: how many top bits equal the sign; all ones if all 32 do.
constexpr std::uint32_t ffbh_i32(std::int32_t a) {
  return ffbh_u32(static_cast<std::uint32_t>(a < 0 ? ~a : a));
}
/// v_ffbl_b32, s_ff1_i32_b32: position of the lowest one; all ones if there is none.
constexpr std::uint32_t ffbl_b32(std::uint32_t a) {
  return a == 0 ? ~0u : static_cast<std::uint32_t>(std::countr_zero(a));
}

/// v_alignbit_b32: {a, b} >> shift[4:0], low 32 bits.
constexpr std::uint32_t alignbit_b32(std::uint32_t a, std::uint32_t b, std::uint32_t shift) {
  return static_cast<std::uint32_t>(((std::uint64_t{a} << 32) | b) >> (shift & 31));
}
/// One byte of v_perm_b32: selectors 0 to 7 pick a byte of `data`, 8 to 11 spread the sign of
/// bytes 1, 3, 5, 7, 12 gives 0, larger ones 0xff.
constexpr std::uint32_t permute_byte(std::uint64_t data, std::uint32_t selector) {
  if (selector >= 13) return 0xff;
  if (selector == 12) return 0;
  if (selector < 8) return static_cast<std::uint32_t>(data >> (8 * selector)) & 0xff;
  return (data >> (16 * (selector - 8) + 15)) & 1 ? 0xff : 0;
}
/// v_perm_b32: four bytes chosen from {a, b} (b in the low half) by the bytes of `selector`.
constexpr std::uint32_t perm_b32(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t data = (std::uint64_t{a} << 32) | b;
  std::uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    result |= permute_byte(data, (selector >> shift) & 0xff) << shift;
  }
  return result;
}
/// v_lerp_u8: per byte (a + b + bit 0 of the byte of `round`) / 2.
constexpr std::uint32_t lerp_u8(std::uint32_t a, std::uint32_t b, std::uint32_t round) {
  std::uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const std::uint32_t sum =
        ((a >> shift) & 0xff) + ((b >> shift) & 0xff) + ((round >> shift) & 1);
    result |= (sum >> 1) << shift;
  }
  return result;
}

/// v_med3_i32, u32, i16, u16: the middle of three integers.
template <std::integral T>
constexpr T med3_integer(T a, T b, T c) {
  const T low = a < b ? a : b;
  const T high = a < b ? b : a;
  return c < low ? low : (c > high ? high : c);
}

/// A 64-bit multiply-add stopped at the ends of its type.
template <std::integral T>
struct WideMad {
  T value;
  bool carry;  ///< bit 64 of the exact sum: the carry-out, or the sign of a signed one
};
/// v_mad_u64_u32 and v_mad_i64_i32 with clamp: a * b + c.
template <std::integral A, std::integral T>
constexpr WideMad<T> mad_wide_saturate(A a, A b, T c) {
  const i128 sum = i128{a} * b + c;
  return {saturate<T>(sum), ((sum >> 64) & 1) != 0};
}

}  // namespace wavetank::number
