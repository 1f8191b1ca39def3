// The three instructions of the division sequence: div_scale, div_fmas, div_fixup.
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// What v_div_scale_* writes: the scaled operand and the lane's VCC bit.
template <Float T>
struct DivScale {
  T value;
  bool vcc;
};
/// v_div_scale_f32, _f64: `a` is the operand to scale, a copy of `denominator` or `numerator`.
/// The VCC bit tells div_fmas to scale the quotient back.
template <Float T>
DivScale<T> div_scale(T a, T denominator, T numerator, const FloatMode& mode);
/// v_div_fmas_f32, _f64: fma(a, b, c), times 2^32 (f32) or 2^64 (f64) if vcc.
template <Float T>
T div_fmas(T a, T b, T c, bool vcc, const FloatMode& mode);
/// v_div_fixup_f16, _f32, _f64: the quotient with the special cases of
/// numerator / denominator put right.
template <Float T>
T div_fixup(T quotient, T denominator, T numerator, const FloatMode& mode);

}  // namespace wavetank::number
