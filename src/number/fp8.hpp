// gfx942's 8-bit floats: fp8 is E4M3FNUZ (bias 8), bf8 is E5M2FNUZ (bias 16). They have no
// infinity and no -0; 0x80 is the only NaN (CDNA3 ISA, "FP8 and BF8").
#pragma once

#include "number/convert.hpp"

namespace wavetank::number {

namespace detail {

template <class T>
struct Narrow;
template <>
struct Narrow<fp8> {
  static constexpr int kMantissaBits = 3;
  static constexpr int kBias = 8;
};
template <>
struct Narrow<bf8> {
  static constexpr int kMantissaBits = 2;
  static constexpr int kBias = 16;
};

template <class T>
constexpr f32 widen_fnuz(T a) {
  using N = Narrow<T>;
  if (a.bits == 0x80) return default_nan<f32>();
  const int field = (a.bits & 0x7f) >> N::kMantissaBits;
  const unsigned fraction = a.bits & ((1u << N::kMantissaBits) - 1);
  const unsigned significand = field == 0 ? fraction : fraction | (1u << N::kMantissaBits);
  const int exponent = (field == 0 ? 1 : field) - N::kBias - N::kMantissaBits;
  return round_to<f32>((a.bits & 0x80) != 0, exponent, std::uint64_t{significand}, {});
}

/// The pattern for a rounded magnitude counted in T's smallest denormal's grid at its exponent.
template <class T>
constexpr T pack_fnuz(bool negative, int last, std::uint32_t kept, bool clamp_overflow) {
  using N = Narrow<T>;
  constexpr int kFirst = 1 - N::kBias - N::kMantissaBits;
  const std::uint32_t bits =
      (static_cast<std::uint32_t>(last - kFirst) << N::kMantissaBits) + kept;
  if (bits > 0x7f) return T{static_cast<std::uint8_t>(clamp_overflow ? (negative ? 0xff : 0x7f)
                                                                     : 0x80)};
  if (bits == 0) return T{0};
  return T{static_cast<std::uint8_t>(bits | (negative ? 0x80 : 0))};
}

/// `random` is null for nearest-even; otherwise the seed whose top bits are added below the last
/// kept bit of the mantissa before truncation.
template <class T>
constexpr T narrow_fnuz(f32 a, const std::uint32_t* random, bool clamp_overflow) {
  using N = Narrow<T>;
  constexpr int kDropped = 23 - N::kMantissaBits;
  constexpr int kFirst = 1 - N::kBias - N::kMantissaBits;
  if (is_nan(a)) return T{0x80};
  const bool negative = is_negative(a);
  const T overflow{static_cast<std::uint8_t>(clamp_overflow ? (negative ? 0xff : 0x7f) : 0x80)};
  if (is_infinite(a)) return overflow;
  if (is_zero(a)) return T{0};
  const Unpacked u = unpack(a);
  const int top = u.exponent + bit_length(u.significand) - 1;
  const int last = top - N::kMantissaBits > kFirst ? top - N::kMantissaBits : kFirst;
  if (last - kFirst > 40) return overflow;
  // The mantissa with kDropped bits below the last kept one.
  const int shift = last - kDropped - u.exponent;
  std::uint64_t kept = 0;
  if (random != nullptr) {
    const std::uint64_t grid =
        shift <= 0 ? u.significand << -shift : (shift < 64 ? u.significand >> shift : 0);
    kept = (grid + (*random >> (32 - kDropped))) >> kDropped;
  } else {
    const std::uint64_t grid =
        shift <= 0 ? u.significand << -shift : shift_right_sticky(u.significand, shift);
    const std::uint64_t dropped = grid & ((1u << kDropped) - 1);
    constexpr std::uint64_t kHalf = 1u << (kDropped - 1);
    kept = grid >> kDropped;
    kept += rounds_away(Round::kNearestEven, negative, kept & 1, dropped > kHalf,
                        dropped == kHalf, dropped != 0);
  }
  return pack_fnuz<T>(negative, last, static_cast<std::uint32_t>(kept), clamp_overflow);
}

}  // namespace detail

/// v_cvt_f32_fp8, v_cvt_pk_f32_fp8: exact; 0x80 gives the default NaN.
constexpr f32 fp8_to_f32(fp8 a) { return detail::widen_fnuz(a); }
/// v_cvt_f32_bf8, v_cvt_pk_f32_bf8.
constexpr f32 bf8_to_f32(bf8 a) { return detail::widen_fnuz(a); }

/// An element of v_cvt_pk_fp8_f32: nearest-even whatever MODE says; NaN, infinity and what rounds
/// beyond 240 give NaN, or with `clamp_overflow` (MODE.FP16_OVFL) the largest value, NaN apart.
constexpr fp8 f32_to_fp8(f32 a, bool clamp_overflow = false) {
  return detail::narrow_fnuz<fp8>(a, nullptr, clamp_overflow);
}
/// An element of v_cvt_pk_bf8_f32; the largest value is 57344.
constexpr bf8 f32_to_bf8(f32 a, bool clamp_overflow = false) {
  return detail::narrow_fnuz<bf8>(a, nullptr, clamp_overflow);
}
/// v_cvt_sr_fp8_f32: stochastic rounding. The top 20 bits of the seed are added to the 20 dropped
/// mantissa bits (after the shift of a denormal result) and the carry goes into the kept ones.
constexpr fp8 f32_to_fp8_stochastic(f32 a, std::uint32_t seed, bool clamp_overflow = false) {
  return detail::narrow_fnuz<fp8>(a, &seed, clamp_overflow);
}
/// v_cvt_sr_bf8_f32: likewise with 21 bits.
constexpr bf8 f32_to_bf8_stochastic(f32 a, std::uint32_t seed, bool clamp_overflow = false) {
  return detail::narrow_fnuz<bf8>(a, &seed, clamp_overflow);
}

}  // namespace wavetank::number
