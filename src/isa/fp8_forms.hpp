// gfx942's 8-bit floats by other functions of lanes (lane_forms.hpp).
#pragma once

#include "isa/integer_forms.hpp"

namespace wavetank::isa {

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

}  // namespace wavetank::isa
