// Elements of A or B as the fused kernels want them: a float of the right relative size, and the
// exponent that aligns its products.
#pragma once

#include <hwy/base.h>

#include <algorithm>
#include <cstdint>

#include "execute/matrix/tile.hpp"
#include "number/fused_dot.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// Beyond every exponent.
inline constexpr std::int32_t kNoExponent = 1000;

/// All elements of A or B.
struct Factors {
  /// The elements divided by 2^largest_exponent, so that no product of two leaves f32's range.
  Elements<float> value;
  Elements<std::int32_t> exponent;
  std::int32_t largest_exponent = number::kZeroExponent;
  std::int32_t smallest_exponent = kNoExponent;  ///< of elements that are not zero
  std::uint64_t special_lanes = 0;  ///< with infinities or NaNs, which count as zero above
  const std::uint32_t* registers = nullptr;
  const number::FactorFormat* format = nullptr;
  unsigned bits = 0;

  /// The element at a place, for number::fused_dot_add.
  number::MatrixFactor factor(unsigned place) const {
    const unsigned first_bit = place / 64 * bits;
    const std::uint32_t dword = registers[first_bit / 32 * 64 + place % 64];
    const std::uint32_t element = dword >> first_bit % 32;
    return number::matrix_factor(bits == 32 ? element : element & ((1u << bits) - 1), *format);
  }
};

/// Lanes that hold an infinity or a NaN.
inline std::uint64_t find_special_lanes(const Factors& factors, unsigned per_lane) {
  std::uint64_t lanes = 0;
  for (unsigned place = 0; place < per_lane * 64; ++place) {
    const bool finite = factors.factor(place).kind == number::MatrixFactor::Kind::kFinite;
    lanes |= std::uint64_t{!finite} << place % 64;
  }
  return lanes;
}

/// Takes all elements of one format apart.
template <const number::FactorFormat& kFormat, unsigned kBits>
HWY_NOINLINE void take_apart(const std::uint32_t* registers, unsigned per_lane, Factors& to) {
  constexpr auto kMantissa = static_cast<unsigned>(kFormat.mantissa_bits);
  constexpr unsigned kSign = kMantissa + kFormat.exponent_bits;
  constexpr std::int32_t kTopField = (1 << kFormat.exponent_bits) - 1;
  to.registers = registers, to.format = &kFormat, to.bits = kBits;
  std::int32_t largest = to.largest_exponent, smallest = to.smallest_exponent;
  std::uint32_t special = 0;
  for_each_element(registers, per_lane, kBits, [&](std::uint32_t bits, unsigned place) {
    const std::uint32_t value = bits >> kFormat.dropped_bits;
    const auto field = static_cast<std::int32_t>(value >> kMantissa & kTopField);
    const bool is_special = kFormat.ieee ? field == kTopField : value == 0x80;
    const std::uint32_t fraction = value & ((1u << kMantissa) - 1);
    const std::uint32_t hidden = static_cast<std::uint32_t>(field != 0) << kMantissa;
    const std::uint32_t whole = is_special ? 0 : fraction | hidden;
    const std::int32_t exponent = (field == 0 ? 1 : field) - kFormat.bias;
    const auto significand = static_cast<std::int32_t>(whole);
    to.value.at[place] = static_cast<float>((value >> kSign & 1) != 0 ? -significand : significand);
    to.exponent.at[place] = whole == 0 ? number::kZeroExponent : exponent;
    special |= static_cast<std::uint32_t>(is_special);
    largest = std::max(largest, whole == 0 ? number::kZeroExponent : exponent);
    smallest = std::min(smallest, whole == 0 ? kNoExponent : exponent);
  });
  if (special != 0) to.special_lanes = find_special_lanes(to, per_lane);
  to.largest_exponent = largest, to.smallest_exponent = smallest;
  const std::int32_t offset = 127 - largest - kFormat.mantissa_bits;
  for (unsigned place = 0; place < per_lane * 64; ++place) {
    const std::int32_t exponent = std::max(to.exponent.at[place] + offset, 0);
    float scale;
    const std::int32_t bits = exponent << 23;
    std::memcpy(&scale, &bits, 4);
    to.value.at[place] *= scale;
  }
}

inline void take_apart(const std::uint32_t* registers, unsigned per_lane, MatrixElement element,
                       Factors& to) {
  switch (element) {
    case MatrixElement::kF16: return take_apart<number::kFactorF16, 16>(registers, per_lane, to);
    case MatrixElement::kBf16: return take_apart<number::kFactorBf16, 16>(registers, per_lane, to);
    case MatrixElement::kXf32: return take_apart<number::kFactorXf32, 32>(registers, per_lane, to);
    case MatrixElement::kFp8: return take_apart<number::kFactorFp8, 8>(registers, per_lane, to);
    default: return take_apart<number::kFactorBf8, 8>(registers, per_lane, to);
  }
}

}  // namespace wavetank::execute::WAVETANK_HOST
