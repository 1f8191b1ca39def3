// Addition, multiplication and fused multiply-add of f16, f32 and f64 with one rounding.
// NaN rule: the first NaN operand in the order src0, src1, src2, quieted, payload and sign kept;
// an invalid operation gives the default NaN.
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// a + b (v_add_*).
template <Float T>
T add(T a, T b, const FloatMode& mode);
/// a - b (v_sub_*). A NaN in b keeps its sign.
template <Float T>
T sub(T a, T b, const FloatMode& mode);
/// a * b (v_mul_*).
template <Float T>
T mul(T a, T b, const FloatMode& mode);
/// a * b + c, rounded once (v_fma_*, v_fmac_*, v_pk_fma_*).
template <Float T>
T fma(T a, T b, T c, const FloatMode& mode);

/// v_mul_legacy_f32: zero times anything, infinity and NaN included, is +0.
f32 mul_legacy(f32 a, f32 b, const FloatMode& mode);
/// v_mad_f32, v_mac_f32: the product is rounded before the addition, and denormals are flushed
/// on the way in and out whatever MODE says (LLVM selects it only when f32 denormals are flushed).
f32 mad(f32 a, f32 b, f32 c, const FloatMode& mode);
/// v_mad_legacy_f32: mad whose product follows mul_legacy.
f32 mad_legacy(f32 a, f32 b, f32 c, const FloatMode& mode);
/// v_mad_f16, v_mac_f16: product and sum each rounded, denormals as MODE says.
f16 mad(f16 a, f16 b, f16 c, const FloatMode& mode);

}  // namespace wavetank::number
