// Minimum, maximum, median, output modifiers, comparison predicates and classification.
#pragma once

#include "number/round.hpp"
#include "number/types.hpp"

namespace wavetank::number {

/// a < b as numbers; false if either is a NaN.
template <Float T>
constexpr bool less(T a, T b) {
  if (is_nan(a) || is_nan(b)) return false;
  if (is_zero(a) && is_zero(b)) return false;
  if (is_negative(a) != is_negative(b)) return is_negative(a);
  return is_negative(a) ? a.bits > b.bits : a.bits < b.bits;
}
/// a == b as numbers: zeros are equal, NaNs are not.
template <Float T>
constexpr bool equal(T a, T b) {
  if (is_nan(a) || is_nan(b)) return false;
  return a.bits == b.bits || (is_zero(a) && is_zero(b));
}

namespace detail {

/// Orders every non-NaN value, -0 below +0.
template <Float T>
constexpr std::int64_t order_key(T a) {
  const auto size = static_cast<std::int64_t>(magnitude(a));
  return is_negative(a) ? -size - 1 : size;
}

/// Minimum or maximum without the flush of operands.
template <Float T>
constexpr T extremum(T a, T b, bool want_max, const FloatMode& mode) {
  if (mode.ieee && is_signaling(a)) return quiet(a);
  if (mode.ieee && is_signaling(b)) return quiet(b);
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  const bool first = want_max ? order_key(a) >= order_key(b) : order_key(a) <= order_key(b);
  return first ? a : b;
}

}  // namespace detail

/// v_min_*: -0 is below +0. A NaN loses against a number; in IEEE mode a signalling NaN operand
/// is the result, quieted.
template <Float T>
constexpr T min(T a, T b, const FloatMode& mode) {
  return detail::extremum(flush_input(a, mode), flush_input(b, mode), false, mode);
}
/// v_max_*, likewise.
template <Float T>
constexpr T max(T a, T b, const FloatMode& mode) {
  return detail::extremum(flush_input(a, mode), flush_input(b, mode), true, mode);
}
/// v_min3_*: min(min(a, b), c).
template <Float T>
constexpr T min3(T a, T b, T c, const FloatMode& mode) {
  return min(min(a, b, mode), c, mode);
}
/// v_max3_*: max(max(a, b), c).
template <Float T>
constexpr T max3(T a, T b, T c, const FloatMode& mode) {
  return max(max(a, b, mode), c, mode);
}
/// v_med3_*: the middle of the three; min3 if any is NaN. Compares as numbers, so of two zeros it
/// does not matter which one is the largest (CDNA3 ISA, V_MED3_F32).
template <Float T>
constexpr T med3(T a, T b, T c, const FloatMode& mode) {
  a = flush_input(a, mode);
  b = flush_input(b, mode);
  c = flush_input(c, mode);
  if (is_nan(a) || is_nan(b) || is_nan(c)) return min3(a, b, c, mode);
  const T largest = max3(a, b, c, mode);
  if (equal(largest, a)) return max(b, c, mode);
  if (equal(largest, b)) return max(a, c, mode);
  return max(a, b, mode);
}

/// The clamp output modifier: into [+0, 1]; NaN becomes +0 with DX10_CLAMP and stays without.
template <Float T>
constexpr T clamp(T a, const FloatMode& mode) {
  if (is_nan(a)) return mode.dx10_clamp ? T{} : a;
  if (is_negative(a)) return T{};
  return a.bits > Format<T>::kOne ? from_bits<T>(Format<T>::kOne) : a;
}

/// The omod output modifier in its encoding: 1 times 2, 2 times 4, 3 divided by 2, 0 nothing.
/// Hardware ignores it in IEEE mode and when denormal results are kept (LLVM, SIFoldOperands).
template <Float T>
constexpr T omod(T a, unsigned field, const FloatMode& mode) {
  if (mode.ieee || !mode.flush_output_denormals || (field & 3) == 0) return a;
  constexpr int kExponents[] = {0, 1, 2, -1};
  return ldexp(a, kExponents[field & 3], mode);
}

/// The sixteen predicates in their opcode order (V_CMP_F_F32 is 0).
enum class FloatCompare : std::uint8_t {
  kF, kLt, kEq, kLe, kGt, kLg, kGe, kO, kU, kNge, kNlg, kNgt, kNle, kNeq, kNlt, kTru,
};
/// v_cmp_*_f16, f32, f64. The predicate's number is the set of outcomes it accepts (bit 0 less,
/// 1 equal, 2 greater), and from 8 on the complement of 15 minus it.
template <Float T>
constexpr bool compare(FloatCompare predicate, T a, T b, const FloatMode& mode) {
  a = flush_input(a, mode);
  b = flush_input(b, mode);
  const auto number = static_cast<unsigned>(predicate) & 15;
  const unsigned accepted = number < 8 ? number : 15 - number;
  unsigned outcome = 0;
  if (!is_nan(a) && !is_nan(b)) outcome = equal(a, b) ? 2 : (less(a, b) ? 1 : 4);
  return ((accepted & outcome) != 0) != (number >= 8);
}

/// The eight integer predicates in their opcode order (V_CMP_F_I32 is 0).
enum class IntegerCompare : std::uint8_t { kF, kLt, kEq, kLe, kGt, kNe, kGe, kT };
/// v_cmp_*_i16 to u64: the type of a and b carries width and signedness.
template <std::integral T>
constexpr bool compare(IntegerCompare predicate, T a, T b) {
  const unsigned outcome = a < b ? 1 : (a == b ? 2 : 4);
  return (static_cast<unsigned>(predicate) & outcome) != 0;
}

/// v_cmp_class_*: does `mask` name the class of a? Bit 0 signalling NaN, 1 quiet NaN, 2 -infinity,
/// 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +infinity. MODE does not matter.
template <Float T>
constexpr bool cmp_class(T a, std::uint32_t mask) {
  unsigned bit = 0;
  if (is_nan(a)) {
    bit = is_signaling(a) ? 0 : 1;
  } else {
    const unsigned size = is_infinite(a) ? 3 : (is_zero(a) ? 0 : (is_denormal(a) ? 1 : 2));
    bit = is_negative(a) ? 5 - size : 6 + size;
  }
  return (mask >> bit) & 1;
}

}  // namespace wavetank::number
