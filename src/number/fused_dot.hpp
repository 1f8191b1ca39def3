// How matrix units add products. The rules and their constants are those of MMA-Sim, which found
// them by probing the hardware (Xie et al., "MMA-Sim: Bit-Accurate Reference Model of Tensor Cores
// and Matrix Cores", arXiv:2511.10909): CDNA3 aligns a group of products and adds C once, rounding
// down on the way; CDNA2 sums pairs as a tree without denormals. MODE does not matter. The bits of
// a NaN result are not published: here it is always the default NaN.
#pragma once

#include <algorithm>
#include <cstdint>

#include "number/arithmetic.hpp"

namespace wavetank::number {

/// The format of an element of A or B.
struct FactorFormat {
  int mantissa_bits;
  int exponent_bits;
  int bias;
  bool ieee;           ///< has infinities and NaNs in the all-ones exponent; else 0x80 is NaN
  int dropped_bits;    ///< low bits of the register that do not count
};
inline constexpr FactorFormat kFactorF16{10, 5, 15, true, 0};
inline constexpr FactorFormat kFactorBf16{7, 8, 127, true, 0};
inline constexpr FactorFormat kFactorXf32{10, 8, 127, true, 13};
inline constexpr FactorFormat kFactorFp8{3, 4, 8, false, 0};
inline constexpr FactorFormat kFactorBf8{2, 5, 16, false, 0};

/// Fraction bits of every MatrixFactor::significand.
inline constexpr int kFactorFractionBits = 10;
/// The exponent of a zero, as if it were a denormal of binary32.
inline constexpr int kZeroExponent = -126;

/// An element of A or B: significand * 2^(exponent - 10).
struct MatrixFactor {
  enum class Kind : std::uint8_t { kFinite, kInfinite, kNan };
  std::uint32_t significand = 0;
  int exponent = kZeroExponent;
  bool negative = false;
  Kind kind = Kind::kFinite;
};

/// Takes an element's bits apart.
constexpr MatrixFactor matrix_factor(std::uint32_t bits, const FactorFormat& format) {
  bits >>= format.dropped_bits;
  const std::uint32_t field_mask = (1u << format.exponent_bits) - 1;
  const std::uint32_t field = bits >> format.mantissa_bits & field_mask;
  const std::uint32_t fraction = bits & ((1u << format.mantissa_bits) - 1);
  MatrixFactor factor;
  factor.negative = (bits >> (format.mantissa_bits + format.exponent_bits) & 1) != 0;
  if (format.ieee && field == field_mask) {
    factor.kind = fraction == 0 ? MatrixFactor::Kind::kInfinite : MatrixFactor::Kind::kNan;
  } else if (!format.ieee && factor.negative && field == 0 && fraction == 0) {
    factor.kind = MatrixFactor::Kind::kNan;
  } else if (field != 0 || fraction != 0) {
    factor.significand = (fraction | (field != 0 ? 1u << format.mantissa_bits : 0u))
                         << (kFactorFractionBits - format.mantissa_bits);
    factor.exponent = std::max(static_cast<int>(field), 1) - format.bias;
  }
  return factor;
}

namespace detail {

/// What the special values of a dot product make of it.
struct Specials {
  bool nan = false, positive = false, negative = false;
  constexpr void add_infinity(bool is_negative) { (is_negative ? negative : positive) = true; }
  constexpr bool any() const { return nan || positive || negative; }
  constexpr f32 result() const {
    if (nan || (positive && negative)) return default_nan<f32>();
    return f32{Format<f32>::kInfinity | (negative ? Format<f32>::kSign : 0)};
  }
};

constexpr Specials special_values(const MatrixFactor* a, const MatrixFactor* b, unsigned count,
                                  f32 c) {
  using Kind = MatrixFactor::Kind;
  Specials found;
  found.nan = is_nan(c);
  if (is_infinite(c)) found.add_infinity(is_negative(c));
  for (unsigned i = 0; i < count; ++i) {
    if (a[i].kind == Kind::kFinite && b[i].kind == Kind::kFinite) continue;
    const bool zero = (a[i].kind == Kind::kFinite && a[i].significand == 0) ||
                      (b[i].kind == Kind::kFinite && b[i].significand == 0);
    if (a[i].kind == Kind::kNan || b[i].kind == Kind::kNan || zero) {
      found.nan = true;
    } else {
      found.add_infinity(a[i].negative != b[i].negative);
    }
  }
  return found;
}

/// Products of 2^128 and more count as infinite.
constexpr Specials overflows(const MatrixFactor* a, const MatrixFactor* b, unsigned count) {
  Specials found;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t product = std::uint64_t{a[i].significand} * b[i].significand;
    const int top = a[i].exponent + b[i].exponent - 2 * kFactorFractionBits + bit_length(product);
    if (product != 0 && top > 128) found.add_infinity(a[i].negative != b[i].negative);
  }
  return found;
}

/// sum * 2^(exponent - 24).
struct AlignedSum {
  std::int64_t sum = 0;
  int exponent = 0;
};

constexpr std::int64_t shift_down(std::int64_t value, int count) {
  return value >> std::min(count, 63);
}

/// Every step-th product, each cut to 24 fraction bits of the largest exponent.
constexpr AlignedSum align_products(const MatrixFactor* a, const MatrixFactor* b, unsigned first,
                                    unsigned step, unsigned count) {
  AlignedSum result{0, 2 * kZeroExponent};
  for (unsigned i = first; i < count; i += step) {
    result.exponent = std::max(result.exponent, a[i].exponent + b[i].exponent);
  }
  for (unsigned i = first; i < count; i += step) {
    const auto product = static_cast<std::int64_t>(a[i].significand) * b[i].significand << 4;
    const int shift = result.exponent - a[i].exponent - b[i].exponent;
    const std::int64_t part = shift_down(product, shift);
    result.sum += a[i].negative != b[i].negative ? -part : part;
  }
  return result;
}

/// The sums of even and odd products at a common exponent, rounded down to 24 fraction bits.
constexpr AlignedSum join(const AlignedSum& even, const AlignedSum& odd) {
  const int exponent = std::max(even.exponent, odd.exponent);
  return {shift_down(even.sum, exponent - even.exponent) +
              shift_down(odd.sum, exponent - odd.exponent),
          exponent};
}

/// Adds C, cut to 24 fraction bits of the larger exponent, to the products with 31, both rounded
/// down, and rounds to nearest even. With `far_c_is_zero` a C more than 25 bits below vanishes.
constexpr f32 add_c(const AlignedSum& products, f32 c, bool far_c_is_zero) {
  const Unpacked parts = unpack(c);
  const int c_exponent = parts.exponent + 23;
  const int exponent = std::max(products.exponent, c_exponent);
  const auto significand = static_cast<std::int64_t>(parts.significand);
  const std::int64_t c_part =
      shift_down((parts.negative ? -significand : significand) * 2, exponent - c_exponent);
  std::int64_t total = shift_down(products.sum * 128, exponent - products.exponent);
  if (!far_c_is_zero || exponent - c_exponent <= 25) total += c_part * 128;
  const bool negative = total < 0;
  return round_to<f32>(negative, exponent - 31,
                       static_cast<std::uint64_t>(negative ? -total : total), FloatMode{});
}

}  // namespace detail

/// CDNA3's sum of up to 16 products and C. `even_odd`: products of even and odd index are aligned
/// apart first (8-bit floats).
constexpr f32 fused_dot_add(const MatrixFactor* a, const MatrixFactor* b, unsigned count, f32 c,
                            bool even_odd) {
  const detail::Specials special = detail::special_values(a, b, count, c);
  if (special.any()) return special.result();
  const detail::Specials overflow = detail::overflows(a, b, count);
  if (overflow.any()) return overflow.result();
  if (!even_odd) return detail::add_c(detail::align_products(a, b, 0, 1, count), c, false);
  return detail::add_c(detail::join(detail::align_products(a, b, 0, 2, count),
                                    detail::align_products(a, b, 1, 2, count)),
                       c, true);
}

/// CDNA2 takes denormal elements of A, B and C, in their own format, as +0.
template <Float T>
constexpr T without_denormal(T a) {
  return magnitude(a) < Format<T>::kHidden ? T{} : a;
}

/// CDNA2's sum of 2 or 4 products and C: products, then pairs, then pairs of pairs, then C, each
/// step rounded and each denormal made zero of its sign. Operands are widened and flushed already.
inline f32 pairwise_dot_add(const f32* a, const f32* b, unsigned count, f32 c) {
  constexpr FloatMode kMode{Round::kNearestEven, false, true};
  f32 sums[4] = {};
  for (unsigned i = 0; i < count; ++i) sums[i] = fma(a[i], b[i], f32{}, kMode);
  for (unsigned left = count / 2; left != 0; left /= 2) {
    for (unsigned i = 0; i < left; ++i) sums[i] = add(sums[2 * i], sums[2 * i + 1], kMode);
  }
  const f32 sum = add(c, sums[0], kMode);
  return is_nan(sum) ? default_nan<f32>() : sum;
}

/// One step of the FMA chain of f32 and f64 products, with the default NaN for every NaN.
template <Float T>
inline T chain_step(T a, T b, T c) {
  const T sum = fma(a, b, c, FloatMode{});
  return is_nan(sum) ? default_nan<T>() : sum;
}

}  // namespace wavetank::number
