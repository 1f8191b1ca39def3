// Dot products of packed operands (CDNA3 ISA, V_DOT2_F32_F16 and its kin).
#pragma once

#include "number/arithmetic.hpp"
#include "number/convert.hpp"
#include "number/integer.hpp"

namespace wavetank::number {

/// v_dot2_f32_f16, v_dot2c_f32_f16: c + a.lo * b.lo, then + a.hi * b.hi, each product exact and
/// each sum rounded. f32 denormals are always flushed (LLVM, SIISelLowering, fdot2).
inline f32 dot2_f32_f16(std::uint32_t a, std::uint32_t b, f32 c, const FloatMode& mode) {
  const auto half = [](std::uint32_t bits) {
    return f16_to_f32(f16{static_cast<std::uint16_t>(bits)});
  };
  const FloatMode flush_mode = flushing(mode);
  const f32 low = fma(half(a), half(b), c, flush_mode);
  return fma(half(a >> 16), half(b >> 16), low, flush_mode);
}

namespace detail {

/// Sum of products of the kCount fields of a and b plus c, wrapped or saturated to the type of c.
template <unsigned kCount, std::integral T>
constexpr T dot_integer(std::uint32_t a, std::uint32_t b, T c, bool clamp) {
  constexpr unsigned kWidth = 32 / kCount;
  constexpr std::uint32_t kMask = (1u << kWidth) - 1;
  std::int64_t sum = c;
  for (unsigned shift = 0; shift < 32; shift += kWidth) {
    if constexpr (std::is_signed_v<T>) {
      sum += std::int64_t{sign_extend(a >> shift, kWidth)} * sign_extend(b >> shift, kWidth);
    } else {
      const std::uint64_t product = std::uint64_t{(a >> shift) & kMask} * ((b >> shift) & kMask);
      sum += static_cast<std::int64_t>(product);
    }
  }
  return clamp ? saturate<T>(sum) : static_cast<T>(sum);
}

}  // namespace detail

/// v_dot2_i32_i16, v_dot2c_i32_i16. With `clamp` the exact sum saturates, otherwise it wraps.
constexpr std::int32_t dot2_i32_i16(std::uint32_t a, std::uint32_t b, std::int32_t c, bool clamp) {
  return detail::dot_integer<2>(a, b, c, clamp);
}
/// v_dot2_u32_u16.
constexpr std::uint32_t dot2_u32_u16(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                     bool clamp) {
  return detail::dot_integer<2>(a, b, c, clamp);
}
/// v_dot4_i32_i8, v_dot4c_i32_i8.
constexpr std::int32_t dot4_i32_i8(std::uint32_t a, std::uint32_t b, std::int32_t c, bool clamp) {
  return detail::dot_integer<4>(a, b, c, clamp);
}
/// v_dot4_u32_u8.
constexpr std::uint32_t dot4_u32_u8(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                    bool clamp) {
  return detail::dot_integer<4>(a, b, c, clamp);
}
/// v_dot8_i32_i4, v_dot8c_i32_i4.
constexpr std::int32_t dot8_i32_i4(std::uint32_t a, std::uint32_t b, std::int32_t c, bool clamp) {
  return detail::dot_integer<8>(a, b, c, clamp);
}
/// v_dot8_u32_u4.
constexpr std::uint32_t dot8_u32_u4(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                    bool clamp) {
  return detail::dot_integer<8>(a, b, c, clamp);
}

}  // namespace wavetank::number
