// Reciprocal, roots, exponential, logarithm, sine and cosine.
//
// Hardware's own approximations are not published. These functions give the correctly rounded
// result wherever that could be checked. "Worst" is the largest distance seen from MPFR's value in
// units of the last place (a correctly rounded result is at most 0.5 away):
//
//   function        f16, every operand   f32                        f64, 100,000 operands
//   rcp, sqrt       0.5                  0.5 (53 > 2 * 24 + 1 bits) 0.5 (the host's)
//   rsq             0.5                  0.5 (every mantissa)       0.5
//   exp2            0.5                  0.5000000 (every operand)
//   log2            0.5                  0.5000000 (every operand)
//   sin, cos        0.5                  0.5000000 (every operand)
//
// The f32 kernels err by about 2^-52, so one operand in some 10^8 may round the other way.
// tests/numbers repeats the measurement: docs/numbers.md.
//
// All round to nearest-even whatever MODE says. f32 operands and results that are denormal count
// as zero whatever MODE says: LLVM's lowering scales around them because "v_rcp_f32 and v_rsq_f32
// do not support denormals", and likewise around v_sqrt_f32, v_exp_f32 and v_log_f32
// (AMDGPUCodeGenPrepare, AMDGPULegalizerInfo). f16 and f64 follow MODE, and so do sin and cos.
// Invalid operands give the negative default NaN, as the examples in AMD's ISA manuals show
// (V_SQRT_F32(0xff800000) => 0xffc00000). They use no libm function, so a result does not depend
// on the host.
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// v_rcp_f16, v_rcp_f32 (also v_rcp_iflag_f32), v_rcp_f64: 1 / a; a zero gives its infinity.
f16 rcp(f16 a, const FloatMode& mode);
f32 rcp(f32 a, const FloatMode& mode);
f64 rcp(f64 a, const FloatMode& mode);
/// v_rsq_*: 1 / sqrt(a); a zero gives its infinity, a negative number NaN.
f16 rsq(f16 a, const FloatMode& mode);
f32 rsq(f32 a, const FloatMode& mode);
f64 rsq(f64 a, const FloatMode& mode);
/// v_sqrt_*: -0 stays, a negative number gives NaN.
f16 sqrt(f16 a, const FloatMode& mode);
f32 sqrt(f32 a, const FloatMode& mode);
f64 sqrt(f64 a, const FloatMode& mode);
/// v_exp_f16, v_exp_f32, v_exp_legacy_f32: 2 to the power a.
f16 exp2(f16 a, const FloatMode& mode);
f32 exp2(f32 a, const FloatMode& mode);
/// v_log_f16, v_log_f32, v_log_legacy_f32: logarithm to base 2; zero gives -infinity.
f16 log2(f16 a, const FloatMode& mode);
f32 log2(f32 a, const FloatMode& mode);
/// v_sin_f16, v_sin_f32: sine of a revolutions, of any size. -0 gives -0, any other whole or half
/// number of revolutions +0, infinity NaN (CDNA4 ISA guide, examples of V_SIN_F32 and V_SIN_F16).
f16 sin(f16 a, const FloatMode& mode);
f32 sin(f32 a, const FloatMode& mode);
/// v_cos_f16, v_cos_f32: cosine of a revolutions, likewise; a quarter turn gives +0.
f16 cos(f16 a, const FloatMode& mode);
f32 cos(f32 a, const FloatMode& mode);

/// v_trig_preop_f64: 53 bits of 2/pi, from bit `segment`[4:0] * 53 on (further on for an argument
/// above 2^54), as a number of their weight (CDNA3 ISA, V_TRIG_PREOP_F64). The first step of
/// reducing a large angle.
f64 trig_preop(f64 a, std::uint32_t segment);

}  // namespace wavetank::number
