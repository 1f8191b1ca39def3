// Functions that few rows call: conversions that pack, 8-bit floats, differences of bytes, cube
// maps, the multiplications whose zero wins, sums with carries and what stops at integers' ends.
#pragma once

#include <cstdint>

#include "isa/lane_functions.hpp"
#include "number/cube.hpp"
#include "number/fp8.hpp"
#include "number/pack.hpp"
#include "number/sad.hpp"

namespace wavetank::isa {

/// f32 to i32 by the floor of a + 0.5, and by the floor.
inline constexpr auto f32_to_i32_rpi = lanes<"f32_to_i32_rpi">(
    [](auto a, const Modes& m) { return number::f32_to_i32_rpi(a, m.f32); });
inline constexpr auto f32_to_i32_flr = lanes<"f32_to_i32_flr">(
    [](auto a, const Modes& m) { return number::f32_to_i32_flr(a, m.f32); });
/// A signed nibble in sixteenths.
inline constexpr auto off_f32_i4 =
    lanes<"off_f32_i4">([](auto a) { return number::off_f32_i4(a); });
/// [-1, 1] times 32767 and [0, 1] times 65535, alone and both in a word.
inline constexpr auto to_snorm16 =
    lanes<"to_snorm16">([](auto a) { return number::to_snorm16(a); });
inline constexpr auto to_unorm16 =
    lanes<"to_unorm16">([](auto a) { return number::to_unorm16(a); });
inline constexpr auto cvt_pknorm_i16 =
    lanes<"cvt_pknorm_i16">([](auto a, auto b) { return number::cvt_pknorm_i16(a, b); });
inline constexpr auto cvt_pknorm_u16 =
    lanes<"cvt_pknorm_u16">([](auto a, auto b) { return number::cvt_pknorm_u16(a, b); });
/// Saturated bytes: of both signed halves, and of a float, which goes where `index` says.
inline constexpr auto sat_pk_u8_i16 =
    lanes<"sat_pk_u8_i16">([](auto a) { return number::sat_pk_u8_i16(a); });
inline constexpr auto cvt_pk_u8 =
    lanes<"cvt_pk_u8">([](auto a, auto index, auto base, const Modes& m) {
      return number::cvt_pk_u8_f32(a, index, base, m.f32);
    });

namespace detail {
/// The byte of a register as an 8-bit float of gfx942.
constexpr number::f32 fp8_of(std::uint32_t a) {
  return number::fp8_to_f32({static_cast<std::uint8_t>(a)});
}
constexpr number::f32 bf8_of(std::uint32_t a) {
  return number::bf8_to_f32({static_cast<std::uint8_t>(a)});
}
/// Two f32 as the bits of a register pair.
constexpr std::uint64_t pair_of(number::f32 low, number::f32 high) {
  return low.bits | (std::uint64_t{high.bits} << 32);
}
}  // namespace detail

/// gfx942's 8-bit floats in byte 0, or bytes 0 and 1.
inline constexpr auto fp8_to_f32 = lanes<"fp8_to_f32">([](auto a) { return detail::fp8_of(a); });
inline constexpr auto bf8_to_f32 = lanes<"bf8_to_f32">([](auto a) { return detail::bf8_of(a); });
inline constexpr auto pk_fp8_to_f32 = lanes<"pk_fp8_to_f32">(
    [](auto a) { return detail::pair_of(detail::fp8_of(a), detail::fp8_of(a >> 8)); });
inline constexpr auto pk_bf8_to_f32 = lanes<"pk_bf8_to_f32">(
    [](auto a) { return detail::pair_of(detail::bf8_of(a), detail::bf8_of(a >> 8)); });
inline constexpr auto pk_f32_to_fp8 = lanes<"pk_f32_to_fp8">([](auto a, auto b, const Modes& m) {
  const unsigned high = number::f32_to_fp8(b, m.fp16_overflow).bits;
  const unsigned low = number::f32_to_fp8(a, m.fp16_overflow).bits;
  return static_cast<std::uint16_t>(low | (high << 8));
});
inline constexpr auto pk_f32_to_bf8 = lanes<"pk_f32_to_bf8">([](auto a, auto b, const Modes& m) {
  const unsigned high = number::f32_to_bf8(b, m.fp16_overflow).bits;
  const unsigned low = number::f32_to_bf8(a, m.fp16_overflow).bits;
  return static_cast<std::uint16_t>(low | (high << 8));
});
/// Rounded with the random bits of `seed`.
inline constexpr auto f32_to_fp8_stochastic =
    lanes<"f32_to_fp8_stochastic">([](auto a, auto seed, const Modes& m) {
      return std::uint32_t{number::f32_to_fp8_stochastic(a, seed, m.fp16_overflow).bits};
    });
inline constexpr auto f32_to_bf8_stochastic =
    lanes<"f32_to_bf8_stochastic">([](auto a, auto seed, const Modes& m) {
      return std::uint32_t{number::f32_to_bf8_stochastic(a, seed, m.fp16_overflow).bits};
    });

/// Products that are 0 where a factor is, whatever the other.
inline constexpr auto mad_legacy = lanes<"mad_legacy">(
    [](auto a, auto b, auto c, const Modes& m) { return number::mad_legacy(a, b, c, m.f32); });
inline constexpr auto mul_legacy = lanes<"mul_legacy">(
    [](auto a, auto b, const Modes& m) { return number::mul_legacy(a, b, m.f32); });

/// The cube's face of a direction, the coordinates there and twice the major axis.
inline constexpr auto cubeid = lanes<"cubeid">(
    [](auto x, auto y, auto z, const Modes& m) { return number::cubeid(x, y, z, m.f32); });
inline constexpr auto cubesc = lanes<"cubesc">(
    [](auto x, auto y, auto z, const Modes& m) { return number::cubesc(x, y, z, m.f32); });
inline constexpr auto cubetc = lanes<"cubetc">(
    [](auto x, auto y, auto z, const Modes& m) { return number::cubetc(x, y, z, m.f32); });
inline constexpr auto cubema = lanes<"cubema">(
    [](auto x, auto y, auto z, const Modes& m) { return number::cubema(x, y, z, m.f32); });

namespace detail {
/// Four 16-bit sums, each stopped at 65535.
constexpr std::uint64_t add_halves_saturate(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < 64; shift += 16) {
    const std::uint64_t sum = ((a >> shift) & 0xffff) + ((b >> shift) & 0xffff);
    result |= (sum > 0xffff ? 0xffff : sum) << shift;
  }
  return result;
}
}  // namespace detail

/// Averages of bytes, and sums of their absolute differences.
inline constexpr auto lerp_u8 =
    lanes<"lerp_u8">([](auto a, auto b, auto c) { return number::lerp_u8(a, b, c); });
inline constexpr auto sad_u8 =
    lanes<"sad_u8">([](auto a, auto b, auto c) { return number::sad_u8(a, b, c); });
inline constexpr auto sad_hi_u8 =
    lanes<"sad_hi_u8">([](auto a, auto b, auto c) { return number::sad_hi_u8(a, b, c); });
inline constexpr auto sad_u16 =
    lanes<"sad_u16">([](auto a, auto b, auto c) { return number::sad_u16(a, b, c); });
inline constexpr auto sad_u32 =
    lanes<"sad_u32">([](auto a, auto b, auto c) { return number::sad_u32(a, b, c); });
inline constexpr auto msad_u8 =
    lanes<"msad_u8">([](auto a, auto b, auto c) { return number::msad_u8(a, b, c); });
inline constexpr auto qsad_pk_u16_u8 =
    lanes<"qsad_pk_u16_u8">([](auto a, auto b, auto c) { return number::qsad_pk_u16_u8(a, b, c); });
inline constexpr auto mqsad_pk_u16_u8 = lanes<"mqsad_pk_u16_u8">(
    [](auto a, auto b, auto c) { return number::mqsad_pk_u16_u8(a, b, c); });
/// The same with each sum stopped at 65535.
inline constexpr auto qsad_saturate = lanes<"qsad_saturate">([](auto a, auto b, auto c) {
  return detail::add_halves_saturate(number::qsad_pk_u16_u8(a, b, 0), c);
});
inline constexpr auto mqsad_saturate = lanes<"mqsad_saturate">([](auto a, auto b, auto c) {
  return detail::add_halves_saturate(number::mqsad_pk_u16_u8(a, b, 0), c);
});

/// a + b + carry, and a - b - borrow, modulo 2^32.
inline constexpr auto add_carry = [](auto a, auto b, auto carry) {
  const auto part = a + b;
  const auto sum = part + select(carry, decltype(a)(1u), decltype(a)(0u));
  return with_mask(sum, (part < a) | (sum < part));
};
inline constexpr auto sub_borrow = [](auto a, auto b, auto borrow) {
  const auto part = a - b;
  const auto difference = part - select(borrow, decltype(a)(1u), decltype(a)(0u));
  return with_mask(difference, (a < b) | (part < difference));
};
/// The same stopped at the ends of u32.
inline constexpr auto add_carry_saturate =
    lanes<"add_carry_saturate">([](std::uint32_t a, std::uint32_t b, bool carry) {
      const std::uint64_t sum = std::uint64_t{a} + b + (carry ? 1 : 0);
      return with_mask(sum >> 32 != 0 ? ~0u : static_cast<std::uint32_t>(sum), sum >> 32 != 0);
    });
inline constexpr auto sub_borrow_saturate =
    lanes<"sub_borrow_saturate">([](std::uint32_t a, std::uint32_t b, bool borrow) {
      const std::uint64_t taken = std::uint64_t{b} + (borrow ? 1 : 0);
      return with_mask(taken > a ? 0u : static_cast<std::uint32_t>(a - taken), taken > a);
    });
/// A 64-bit product plus c, stopped at the ends of 64 bits, with bit 64 of the exact sum.
inline constexpr auto mad_wide_saturate = lanes<"mad_wide_saturate">([](auto a, auto b, auto c) {
  const auto sum = number::mad_wide_saturate(a, b, c);
  return with_mask(sum.value, sum.carry);
});

/// A dot product's exact sum, stopped at the ends of its type.
template <class Dot>
struct Stopped {
  template <class P, class C>
  constexpr C operator()(P a, P b, C c) const {
    return Dot{}(a, b, c, true);
  }
};
template <class Dot>
constexpr LaneFunction<Stopped<Dot>> stopped(LaneFunction<Dot>) {
  return {};
}

}  // namespace wavetank::isa
