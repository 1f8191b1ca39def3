// Reciprocal, roots, exponential, logarithm, sine and cosine.
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// v_rcp_f16, v_rcp_f32 (also v_rcp_iflag_f32), v_rcp_f64: 1 / a.
f16 rcp(f16 a, const FloatMode& mode);
f32 rcp(f32 a, const FloatMode& mode);
f64 rcp(f64 a, const FloatMode& mode);
/// v_rsq_*: 1 / sqrt(a).
f16 rsq(f16 a, const FloatMode& mode);
f32 rsq(f32 a, const FloatMode& mode);
f64 rsq(f64 a, const FloatMode& mode);
/// v_sqrt_*.
f16 sqrt(f16 a, const FloatMode& mode);
f32 sqrt(f32 a, const FloatMode& mode);
f64 sqrt(f64 a, const FloatMode& mode);
/// v_exp_f16, v_exp_f32, v_exp_legacy_f32: 2 to the power a.
f16 exp2(f16 a, const FloatMode& mode);
f32 exp2(f32 a, const FloatMode& mode);
/// v_log_f16, v_log_f32, v_log_legacy_f32: logarithm to base 2.
f16 log2(f16 a, const FloatMode& mode);
f32 log2(f32 a, const FloatMode& mode);
/// v_sin_f16, v_sin_f32: sine of a revolutions (2 pi a radians).
f16 sin(f16 a, const FloatMode& mode);
f32 sin(f32 a, const FloatMode& mode);
/// v_cos_f16, v_cos_f32: cosine of a revolutions.
f16 cos(f16 a, const FloatMode& mode);
f32 cos(f32 a, const FloatMode& mode);

/// v_trig_preop_f64: 53 bits of 2/pi, from bit `segment`[4:0] * 53 on, placed for an argument of
/// a's magnitude.
f64 trig_preop(f64 a, std::uint32_t segment);

}  // namespace wavetank::number
