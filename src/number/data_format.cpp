#include "number/data_format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "number/convert.hpp"

namespace wavetank::number {
namespace {

std::uint32_t float_bits(double value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}
double double_of(std::uint32_t bits) { return double{std::bit_cast<float>(bits)}; }

constexpr std::uint32_t ones(unsigned bits) {
  return bits >= 32 ? 0xffffffffu : (1u << bits) - 1;
}

std::int32_t sign_extended(std::uint32_t raw, unsigned bits) {
  return static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
}

/// Floats of 10 and 11 bits: 5 of exponent, no sign, the rest mantissa. They widen to f16 by shift.
std::uint32_t load_float(std::uint32_t raw, unsigned bits) {
  if (bits == 32) return raw;
  const unsigned dropped = bits < 16 ? 15 - bits : 0;
  return f16_to_f32(f16{static_cast<std::uint16_t>(raw << dropped)}).bits;
}

std::uint32_t store_float(std::uint32_t value, unsigned bits) {
  if (bits == 32) return value;
  const f32 wide{value};
  if (bits == 16) return f32_to_f16(wide, {}, {}).bits;
  if ((value >> 31) != 0 && value << 1 <= 0xff000000u) return 0;  // no sign: negative numbers are 0
  constexpr FloatMode kTruncate{.round = Round::kZero};
  const std::uint32_t half = f32_to_f16(wide, kTruncate, kTruncate).bits & 0x7fffu;
  return half >> (15 - bits);
}

/// IEC 61966-2-1.
double linear_of_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}
double srgb_of_linear(double value) {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

/// NaN is 0.
double clamped(double value, double low, double high) {
  return std::isnan(value) ? 0 : std::clamp(value, low, high);
}

std::uint32_t as_raw(double value, unsigned bits) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value)) & ones(bits);
}

}  // namespace

std::uint32_t load_component(std::uint32_t raw, unsigned bits, NumberFormat number,
                             unsigned index) {
  const double most = ones(bits), signed_most = ones(bits - 1);
  switch (number) {
    case NumberFormat::kUnorm: return float_bits(raw / most);
    case NumberFormat::kSnorm:
      return float_bits(std::max(sign_extended(raw, bits) / std::max(signed_most, 1.0), -1.0));
    case NumberFormat::kUscaled: return float_bits(raw);
    case NumberFormat::kSscaled: return float_bits(sign_extended(raw, bits));
    case NumberFormat::kUint: return raw;
    case NumberFormat::kSint: return static_cast<std::uint32_t>(sign_extended(raw, bits));
    case NumberFormat::kFloat: return load_float(raw, bits);
    case NumberFormat::kSrgb:
      return float_bits(index == 3 ? raw / most : linear_of_srgb(raw / most));
  }
  return 0;
}

std::uint32_t store_component(std::uint32_t value, unsigned bits, NumberFormat number,
                              unsigned index) {
  const double most = ones(bits), signed_most = ones(bits - 1);
  switch (number) {
    case NumberFormat::kUnorm:
      return as_raw(std::nearbyint(clamped(double_of(value), 0, 1) * most), bits);
    case NumberFormat::kSnorm:
      return as_raw(std::nearbyint(clamped(double_of(value), -1, 1) * signed_most), bits);
    case NumberFormat::kUscaled:
      return as_raw(std::trunc(clamped(double_of(value), 0, most)), bits);
    case NumberFormat::kSscaled:
      return as_raw(std::trunc(clamped(double_of(value), -signed_most - 1, signed_most)), bits);
    case NumberFormat::kUint: return std::min(value, ones(bits));
    case NumberFormat::kSint: {
      const auto low = -static_cast<std::int64_t>(signed_most) - 1;
      const auto high = static_cast<std::int64_t>(signed_most);
      const auto clamp = std::clamp<std::int64_t>(static_cast<std::int32_t>(value), low, high);
      return static_cast<std::uint32_t>(clamp) & ones(bits);
    }
    case NumberFormat::kFloat: return store_float(value, bits);
    case NumberFormat::kSrgb: {
      const double linear = clamped(double_of(value), 0, 1);
      return as_raw(std::nearbyint((index == 3 ? linear : srgb_of_linear(linear)) * most), bits);
    }
  }
  return 0;
}

std::array<std::uint32_t, 4> unpack_texel(const std::byte* texel, const DataFormat& format) {
  std::array<std::uint32_t, 4> raw = {};
  unsigned at = 0;
  for (unsigned i = 0; i < format.components(); ++i) {
    std::uint64_t word = 0;
    const unsigned first = at / 8;
    std::memcpy(&word, texel + first, std::min<std::size_t>(8, format.bytes - first));
    raw[i] = static_cast<std::uint32_t>(word >> (at % 8)) & ones(format.bits[i]);
    at += format.bits[i];
  }
  return raw;
}

void pack_texel(const std::array<std::uint32_t, 4>& raw, const DataFormat& format,
                std::byte* texel) {
  std::uint32_t dwords[4] = {};
  unsigned at = 0;
  for (unsigned i = 0; i < format.components(); ++i) {
    const std::uint64_t bits = std::uint64_t{raw[i] & ones(format.bits[i])} << (at % 32);
    dwords[at / 32] |= static_cast<std::uint32_t>(bits);
    if (bits >> 32 != 0) dwords[at / 32 + 1] |= static_cast<std::uint32_t>(bits >> 32);
    at += format.bits[i];
  }
  std::memcpy(texel, dwords, format.bytes);
}

std::array<std::uint32_t, 4> load_texel(const std::byte* texel, const DataFormat& format,
                                        NumberFormat number) {
  std::array<std::uint32_t, 4> values = unpack_texel(texel, format);
  for (unsigned i = 0; i < format.components(); ++i) {
    values[i] = load_component(values[i], format.bits[i], number, i);
  }
  return values;
}

std::uint32_t selected(const std::array<std::uint32_t, 4>& values, unsigned select,
                       NumberFormat number) {
  if (select >= 4) return values[select - 4];
  return select == 1 ? one_of(number) : 0;
}

std::uint32_t half_of(std::uint32_t value, NumberFormat number) {
  return is_integer(number) ? value & 0xffff : f32_to_f16(f32{value}, {}, {}).bits;
}

std::uint32_t from_half(std::uint32_t half, NumberFormat number) {
  const auto bits = static_cast<std::uint16_t>(half);
  if (number == NumberFormat::kUint) return bits;
  if (number == NumberFormat::kSint) {
    return static_cast<std::uint32_t>(static_cast<std::int16_t>(bits));
  }
  return f16_to_f32(f16{bits}).bits;
}

}  // namespace wavetank::number
