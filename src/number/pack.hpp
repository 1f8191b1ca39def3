// Conversions that pack several results into one register.
#pragma once

#include "number/convert.hpp"

namespace wavetank::number {

/// Two 16-bit patterns in a register: `low` in bits 15:0.
constexpr std::uint32_t pack_halves(std::uint32_t low, std::uint32_t high) {
  return (low & 0xffff) | (high << 16);
}
/// v_pack_b32_f16: a in the low half, b in the high half.
constexpr std::uint32_t pack_b32_f16(f16 a, f16 b) { return pack_halves(a.bits, b.bits); }

/// v_cvt_pkrtz_f16_f32: both rounded towards zero; a in the low half.
constexpr std::uint32_t cvt_pkrtz_f16_f32(f32 a, f32 b, const FloatMode& source,
                                          FloatMode result) {
  result.round = Round::kZero;
  return pack_b32_f16(f32_to_f16(a, source, result), f32_to_f16(b, source, result));
}

namespace detail {

/// a * steps to the nearest integer (ties to even), a first clamped to [low, 1]; NaN gives 0.
/// `steps` has at most 16 bits, so the product of an f16 or f32 with it is exact in f64.
template <Float T>
constexpr std::int64_t to_normalized(T a, bool is_signed, std::int64_t steps) {
  static_assert(Format<T>::kMantissaBits <= 23);
  if (is_nan(a)) return 0;
  if (is_negative(a) && !is_signed) return 0;
  if (magnitude(a) >= Format<T>::kOne) return is_negative(a) ? -steps : steps;
  const Unpacked u = unpack(a);
  const f64 product = round_to<f64>(u.negative, u.exponent,
                                    u.significand * static_cast<std::uint64_t>(steps), {});
  return to_integer(product, Round::kNearestEven, -steps, steps);
}

}  // namespace detail

/// v_cvt_norm_i16_f16 and an element of v_cvt_pknorm_i16_*: clamped to [-1, 1], times 32767,
/// nearest-even; NaN gives 0.
template <Float T>
constexpr std::int16_t to_snorm16(T a) {
  return static_cast<std::int16_t>(detail::to_normalized(a, true, 32767));
}
/// v_cvt_norm_u16_f16 and an element of v_cvt_pknorm_u16_*: clamped to [0, 1], times 65535.
template <Float T>
constexpr std::uint16_t to_unorm16(T a) {
  return static_cast<std::uint16_t>(detail::to_normalized(a, false, 65535));
}
/// v_cvt_pknorm_i16_f32, _f16: a in the low half.
template <Float T>
constexpr std::uint32_t cvt_pknorm_i16(T a, T b) {
  return pack_halves(static_cast<std::uint16_t>(to_snorm16(a)),
                     static_cast<std::uint16_t>(to_snorm16(b)));
}
/// v_cvt_pknorm_u16_f32, _f16: a in the low half.
template <Float T>
constexpr std::uint32_t cvt_pknorm_u16(T a, T b) {
  return pack_halves(to_unorm16(a), to_unorm16(b));
}

/// v_cvt_pk_u8_f32: a as a byte (mode rounding, 0 to 255, NaN 0) put at byte `index`[1:0] of
/// `base`. v_cvt_pkaccum_u8_f32 is the same with the destination as `base`.
constexpr std::uint32_t cvt_pk_u8_f32(f32 a, std::uint32_t index, std::uint32_t base,
                                      const FloatMode& mode) {
  const auto byte =
      static_cast<std::uint32_t>(detail::to_integer(flush_input(a, mode), mode.round, 0, 255));
  const unsigned shift = 8 * (index & 3);
  return (base & ~(0xffu << shift)) | (byte << shift);
}
/// v_cvt_pk_i16_i32: saturating; a in the low half.
constexpr std::uint32_t cvt_pk_i16_i32(std::int32_t a, std::int32_t b) {
  const auto narrow = [](std::int32_t v) {
    return static_cast<std::uint16_t>(v < -32768 ? -32768 : (v > 32767 ? 32767 : v));
  };
  return pack_halves(narrow(a), narrow(b));
}
/// v_cvt_pk_u16_u32: saturating; a in the low half.
constexpr std::uint32_t cvt_pk_u16_u32(std::uint32_t a, std::uint32_t b) {
  return pack_halves(a > 0xffff ? 0xffff : a, b > 0xffff ? 0xffff : b);
}
/// v_sat_pk_u8_i16: both signed halves of a saturated to bytes, in bits 15:0.
constexpr std::uint32_t sat_pk_u8_i16(std::uint32_t a) {
  const auto narrow = [](std::uint32_t half) {
    const auto v = static_cast<std::int16_t>(half);
    return static_cast<std::uint32_t>(v < 0 ? 0 : (v > 255 ? 255 : v));
  };
  return narrow(a & 0xffff) | (narrow(a >> 16) << 8);
}

}  // namespace wavetank::number
