// Minimum, maximum, median, output modifiers, comparison predicates and classification.
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// v_min_*: -0 is below +0. A NaN loses against a number; in IEEE mode a signalling NaN operand
/// is the result, quieted.
template <Float T>
constexpr T min(T a, T b, const FloatMode& mode);
/// v_max_*, likewise.
template <Float T>
constexpr T max(T a, T b, const FloatMode& mode);
/// v_min3_*: min(min(a, b), c).
template <Float T>
constexpr T min3(T a, T b, T c, const FloatMode& mode);
/// v_max3_*: max(max(a, b), c).
template <Float T>
constexpr T max3(T a, T b, T c, const FloatMode& mode);
/// v_med3_*: the middle of the three; min3 if any is NaN.
template <Float T>
constexpr T med3(T a, T b, T c, const FloatMode& mode);

/// The clamp output modifier: into [0, 1]; NaN becomes +0 with DX10_CLAMP and stays without.
template <Float T>
constexpr T clamp(T a, const FloatMode& mode);
/// The omod output modifier in its encoding: 1 times 2, 2 times 4, 3 divided by 2, 0 nothing.
template <Float T>
T omod(T a, unsigned field, const FloatMode& mode);

/// The sixteen predicates in their opcode order (V_CMP_F_F32 is 0).
enum class FloatCompare : std::uint8_t {
  kF, kLt, kEq, kLe, kGt, kLg, kGe, kO, kU, kNge, kNlg, kNgt, kNle, kNeq, kNlt, kTru,
};
/// v_cmp_*_f16, f32, f64.
template <Float T>
constexpr bool compare(FloatCompare predicate, T a, T b, const FloatMode& mode);

/// The eight integer predicates in their opcode order (V_CMP_F_I32 is 0).
enum class IntegerCompare : std::uint8_t { kF, kLt, kEq, kLe, kGt, kNe, kGe, kT };
/// v_cmp_*_i16 to u64: the type of a and b carries width and signedness.
template <std::integral T>
constexpr bool compare(IntegerCompare predicate, T a, T b);

/// v_cmp_class_*: does `mask` name the class of a? Bit 0 signalling NaN, 1 quiet NaN, 2 -infinity,
/// 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +infinity. MODE does not matter.
template <Float T>
constexpr bool cmp_class(T a, std::uint32_t mask);

}  // namespace wavetank::number
