// Fast f16 arithmetic under round-to-nearest-even: every f16, and every sum or product of two, is
// exact in a host double, so one rounding from double to f16 is all there is to do.
#pragma once

#include "number/types.hpp"

namespace wavetank::number::detail {

/// A finite f16 as a double, exactly.
constexpr double half_to_double(f16 a) {
  const std::uint64_t size = magnitude(a);
  const std::uint64_t sign = static_cast<std::uint64_t>(a.bits & Format<f16>::kSign) << 48;
  if (size < Format<f16>::kHidden) {
    const double value = static_cast<double>(static_cast<int>(size)) * 0x1p-24;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | sign);
  }
  constexpr std::uint64_t kRebias = std::uint64_t{1023 - 15} << 52;
  return std::bit_cast<double>(((size << 42) + kRebias) | sign);
}

/// The f16 nearest to a value that is not NaN, ties to even.
constexpr f16 double_to_half(double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint64_t>((bits >> 48) & Format<f16>::kSign);
  const std::uint64_t size = bits & ~(std::uint64_t{1} << 63);
  constexpr std::uint64_t kLeastNormal = std::uint64_t{1023 - 14} << 52;
  constexpr std::uint64_t kOverflow = 0x40effe0000000000;  // 65520, half a step above the largest
  if (size >= kOverflow) return from_bits<f16>(sign | Format<f16>::kInfinity);
  if (size < kLeastNormal) {
    // The units digit of 2^28 + x is 2^-24, the step of f16's denormals.
    const double shifted = std::bit_cast<double>(size) + 0x1p28;
    return from_bits<f16>(sign | (std::bit_cast<std::uint64_t>(shifted) & 0x7ff));
  }
  const std::uint64_t rounded = size + ((std::uint64_t{1} << 41) - 1) + ((size >> 42) & 1);
  constexpr std::uint64_t kRebias = std::uint64_t{1023 - 15} << 10;
  return from_bits<f16>(sign | ((rounded >> 42) - kRebias));
}

/// a + b rounded to odd: the last bit of the double is set if anything was lost, so that a later
/// rounding to fewer bits is right.
constexpr double add_to_odd(double a, double b) {
  const double sum = a + b;
  const double virtual_b = sum - a;
  const double error = (a - (sum - virtual_b)) + (b - virtual_b);
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// Whether the double forms apply: no infinity, no NaN.
constexpr bool is_finite_half(f16 a) { return magnitude(a) < Format<f16>::kInfinity; }

}  // namespace wavetank::number::detail
