// Conversions between formats and to and from integers. The names are the manual's pseudo-code.
// Of a mode, `source` matters for flushing the operand and `result` for rounding and flushing
// the result: v_cvt_f16_f32 takes the f32 mode and the f64/f16 mode; v_cvt_f32_f64 the f64/f16
// mode for rounding too (LLVM, FPDPRounding), so its `result` is {f64 round, f32 denormals}.
#pragma once

#include <limits>

#include "number/arithmetic.hpp"
#include "number/binary16.hpp"
#include "number/round.hpp"
#include "number/types.hpp"

namespace wavetank::number {

/// A NaN in another format: quiet, same sign, the payload's top bits.
template <Float To, Float From>
constexpr To convert_nan(From a) {
  using F = Format<From>;
  using G = Format<To>;
  std::uint64_t payload = a.bits & F::kMantissaMask;
  if constexpr (F::kMantissaBits > G::kMantissaBits) {
    payload >>= F::kMantissaBits - G::kMantissaBits;
  } else {
    payload <<= G::kMantissaBits - F::kMantissaBits;
  }
  return from_bits<To>((is_negative(a) ? G::kSign : 0) | G::kInfinity | G::kQuietBit | payload);
}

/// Between any two formats (v_cvt_f16_f32, v_cvt_f32_f16, v_cvt_f32_f64, v_cvt_f64_f32): rounds
/// as `result` says; NaN keeps sign and as much payload as fits, quieted.
template <Float To, Float From>
constexpr To convert(From a, const FloatMode& source, const FloatMode& result) {
  a = flush_input(a, source);
  if (is_nan(a)) return convert_nan<To>(a);
  if (is_infinite(a)) return infinity<To>(is_negative(a));
  const Unpacked u = unpack(a);
  return round_to<To>(u.negative, u.exponent, u.significand, result);
}

/// v_cvt_f16_f32.
constexpr f16 f32_to_f16(f32 a, const FloatMode& source, const FloatMode& result) {
  if (result.round == Round::kNearestEven && !is_nan(a)) [[likely]] {
    const auto value = static_cast<double>(std::bit_cast<float>(flush_input(a, source).bits));
    return flush_output(detail::double_to_half(value), result);
  }
  return convert<f16>(a, source, result);
}
/// v_cvt_f32_f16: exact. f16 denormals are always accepted (CDNA3 ISA, V_CVT_F32_F16), so only a
/// NaN is touched.
constexpr f32 f16_to_f32(f16 a) {
  if (!detail::is_finite_half(a)) [[unlikely]] return convert<f32>(a, {}, {});
  return {std::bit_cast<std::uint32_t>(static_cast<float>(detail::half_to_double(a)))};
}

namespace detail {

/// a rounded to an integer, clamped to [low, high]; NaN gives 0. The limits are at most 2^62 away
/// from 0.
template <Float T>
constexpr std::int64_t to_integer(T a, Round round, std::int64_t low, std::int64_t high) {
  if (is_nan(a)) return 0;
  if (is_infinite(a)) return is_negative(a) ? low : high;
  const Unpacked u = unpack(a);
  if (u.exponent + bit_length(u.significand) > 62) return u.negative ? low : high;
  std::uint64_t whole = u.significand;
  if (u.exponent >= 0) {
    whole <<= u.exponent;
  } else {
    // Two bits below the units digit: the half and everything smaller.
    const std::uint64_t quarters = u.exponent == -1
                                       ? u.significand << 1
                                       : shift_right_sticky(u.significand, -u.exponent - 2);
    const auto dropped = static_cast<unsigned>(quarters & 3);
    whole = quarters >> 2;
    whole += rounds_away(round, u.negative, whole & 1, dropped == 3, dropped == 2, dropped != 0);
  }
  const auto value = static_cast<std::int64_t>(whole);
  const std::int64_t result = u.negative ? -value : value;
  return result < low ? low : (result > high ? high : result);
}

template <class I, Float T>
constexpr I to_integer(T a, Round round) {
  return static_cast<I>(to_integer(a, round, std::int64_t{std::numeric_limits<I>::min()},
                                   std::int64_t{std::numeric_limits<I>::max()}));
}

}  // namespace detail

/// v_cvt_i32_f32, v_cvt_i32_f64: towards zero, saturating; NaN gives 0.
template <Float T>
constexpr std::int32_t to_i32(T a) {
  return detail::to_integer<std::int32_t>(a, Round::kZero);
}
/// v_cvt_u32_f32, v_cvt_u32_f64: towards zero, saturating (negative gives 0); NaN gives 0.
template <Float T>
constexpr std::uint32_t to_u32(T a) {
  return detail::to_integer<std::uint32_t>(a, Round::kZero);
}
/// v_cvt_i16_f16: towards zero, saturating; NaN gives 0.
constexpr std::int16_t f16_to_i16(f16 a) {
  return detail::to_integer<std::int16_t>(a, Round::kZero);
}
/// v_cvt_u16_f16, likewise.
constexpr std::uint16_t f16_to_u16(f16 a) {
  return detail::to_integer<std::uint16_t>(a, Round::kZero);
}
/// v_cvt_flr_i32_f32: floor(a), saturating; NaN gives 0.
constexpr std::int32_t f32_to_i32_flr(f32 a, const FloatMode& mode) {
  return detail::to_integer<std::int32_t>(flush_input(a, mode), Round::kDown);
}
/// v_cvt_rpi_i32_f32: floor of the f32 sum a + 0.5, saturating; NaN gives 0. The sum is rounded as
/// the mode says (CDNA3 ISA guide; LLVM's pattern cvt_rpi_i32_f32 is the same).
inline std::int32_t f32_to_i32_rpi(f32 a, const FloatMode& mode) {
  return detail::to_integer<std::int32_t>(add(a, f32{0x3f000000}, mode), Round::kDown);
}

/// From a signed integer, rounded as the mode says (v_cvt_f32_i32, v_cvt_f64_i32, v_cvt_f16_i16).
template <Float T>
constexpr T from_i32(std::int32_t a, const FloatMode& mode) {
  const std::int64_t wide = a;
  return round_to<T>(a < 0, 0, static_cast<std::uint64_t>(a < 0 ? -wide : wide), mode);
}
/// From an unsigned integer (v_cvt_f32_u32, v_cvt_f64_u32, v_cvt_f16_u16).
template <Float T>
constexpr T from_u32(std::uint32_t a, const FloatMode& mode) {
  return round_to<T>(false, 0, std::uint64_t{a}, mode);
}
/// v_cvt_off_f32_i4: the signed nibble a[3:0] in sixteenths, -0.5 to 0.4375.
constexpr f32 off_f32_i4(std::uint32_t a) {
  const int nibble = static_cast<int>((a & 15) ^ 8) - 8;
  return round_to<f32>(nibble < 0, -4, static_cast<std::uint64_t>(nibble < 0 ? -nibble : nibble),
                       {});
}

}  // namespace wavetank::number
