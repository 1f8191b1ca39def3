// Conversions between formats and to and from integers. The names are the manual's pseudo-code.
// Of a mode, `source` matters for flushing the operand and `result` for rounding and flushing
// the result: v_cvt_f16_f32 takes the f32 mode and the f64/f16 mode; v_cvt_f32_f64 the f64/f16
// mode for rounding too (LLVM, FPDPRounding), so its `result` is {f64 round, f32 denormals}.
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// Between any two formats (v_cvt_f16_f32, v_cvt_f32_f16, v_cvt_f32_f64, v_cvt_f64_f32): rounds
/// as `result` says; NaN keeps sign and as much payload as fits, quieted.
template <Float To, Float From>
constexpr To convert(From a, const FloatMode& source, const FloatMode& result);

f16 f32_to_f16(f32 a, const FloatMode& source, const FloatMode& result);
f32 f16_to_f32(f16 a, const FloatMode& source, const FloatMode& result);
f32 f64_to_f32(f64 a, const FloatMode& source, const FloatMode& result);
f64 f32_to_f64(f32 a, const FloatMode& source, const FloatMode& result);
/// Exact: the bits move up.
constexpr f32 bf16_to_f32(bf16 a) { return {static_cast<std::uint32_t>(a.bits) << 16}; }
/// Nearest-even unless `mode` says otherwise; NaN quieted.
bf16 f32_to_bf16(f32 a, const FloatMode& mode);
/// Exact f16 to f32 without any flushing, for mixed-precision operands.
f32 widen(f16 a);

/// To integers: towards zero, saturating; NaN gives 0.
template <Float T>
constexpr std::int32_t to_i32(T a);
template <Float T>
constexpr std::uint32_t to_u32(T a);
/// v_cvt_i16_f16, v_cvt_u16_f16.
constexpr std::int16_t f16_to_i16(f16 a);
constexpr std::uint16_t f16_to_u16(f16 a);
/// v_cvt_rpi_i32_f32: floor(a + 0.5), saturating. v_cvt_flr_i32_f32: floor(a), saturating.
std::int32_t f32_to_i32_rpi(f32 a, const FloatMode& mode);
std::int32_t f32_to_i32_flr(f32 a, const FloatMode& mode);

/// From integers, rounded as the mode says (v_cvt_f32_i32, v_cvt_f64_u32, v_cvt_f16_u16 ...).
template <Float T>
constexpr T from_i32(std::int32_t a, const FloatMode& mode);
template <Float T>
constexpr T from_u32(std::uint32_t a, const FloatMode& mode);

/// v_cvt_f32_ubyte0 to 3: byte `index` of a.
f32 ubyte_to_f32(std::uint32_t a, unsigned index);
/// v_cvt_off_f32_i4: the signed nibble a[3:0] in sixteenths, -0.5 to 0.4375.
f32 off_f32_i4(std::uint32_t a);

/// v_cvt_pkrtz_f16_f32: both rounded towards zero; a in the low half.
std::uint32_t cvt_pkrtz_f16_f32(f32 a, f32 b, const FloatMode& source, const FloatMode& result);
/// v_cvt_norm_i16_*: clamp to [-1, 1], times 32767, nearest-even; NaN gives 0.
template <Float T>
std::int16_t to_snorm16(T a);
/// v_cvt_norm_u16_*: clamp to [0, 1], times 65535, nearest-even; NaN gives 0.
template <Float T>
std::uint16_t to_unorm16(T a);
/// v_cvt_pknorm_i16_f32, _f16; v_cvt_pknorm_u16_f32, _f16: a in the low half.
template <Float T>
std::uint32_t cvt_pknorm_i16(T a, T b);
template <Float T>
std::uint32_t cvt_pknorm_u16(T a, T b);
/// v_cvt_pk_u8_f32: a as a byte (mode rounding, 0 to 255) put at byte `index`[1:0] of `base`.
std::uint32_t cvt_pk_u8_f32(f32 a, std::uint32_t index, std::uint32_t base,
                            const FloatMode& mode);
/// v_cvt_pk_i16_i32, v_cvt_pk_u16_u32: saturating; a in the low half.
constexpr std::uint32_t cvt_pk_i16_i32(std::int32_t a, std::int32_t b);
constexpr std::uint32_t cvt_pk_u16_u32(std::uint32_t a, std::uint32_t b);
/// v_sat_pk_u8_i16: both signed halves of a saturated to bytes, in bits 15:0.
constexpr std::uint32_t sat_pk_u8_i16(std::uint32_t a);
/// v_pack_b32_f16: a in the low half, b in the high half.
constexpr std::uint32_t pack_b32_f16(f16 a, f16 b) {
  return a.bits | (static_cast<std::uint32_t>(b.bits) << 16);
}

}  // namespace wavetank::number
