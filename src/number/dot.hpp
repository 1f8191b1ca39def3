// Dot products of packed operands.
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// v_dot2_f32_f16, v_dot2c_f32_f16: a.lo * b.lo + a.hi * b.hi + c.
f32 dot2_f32_f16(std::uint32_t a, std::uint32_t b, f32 c, const FloatMode& mode);
/// Integer dot products; with `clamp` the exact sum saturates, otherwise it wraps.
std::int32_t dot2_i32_i16(std::uint32_t a, std::uint32_t b, std::int32_t c, bool clamp);
std::uint32_t dot2_u32_u16(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool clamp);
std::int32_t dot4_i32_i8(std::uint32_t a, std::uint32_t b, std::int32_t c, bool clamp);
std::uint32_t dot4_u32_u8(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool clamp);
std::int32_t dot8_i32_i4(std::uint32_t a, std::uint32_t b, std::int32_t c, bool clamp);
std::uint32_t dot8_u32_u4(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool clamp);

}  // namespace wavetank::number
