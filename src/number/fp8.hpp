// gfx942's 8-bit floats: fp8 is E4M3FNUZ, bf8 is E5M2FNUZ (CDNA3 ISA, "FP8 and BF8").
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// v_cvt_f32_fp8, v_cvt_f32_bf8: exact; 0x80 gives a NaN.
f32 fp8_to_f32(fp8 a);
f32 bf8_to_f32(bf8 a);
/// v_cvt_pk_fp8_f32, v_cvt_pk_bf8_f32, per element: nearest-even, too large saturates to NaN or
/// the largest value as the definition says.
fp8 f32_to_fp8(f32 a);
bf8 f32_to_bf8(f32 a);
/// v_cvt_sr_fp8_f32, v_cvt_sr_bf8_f32: stochastic rounding with the random bits of `seed`.
fp8 f32_to_fp8_stochastic(f32 a, std::uint32_t seed);
bf8 f32_to_bf8_stochastic(f32 a, std::uint32_t seed);

}  // namespace wavetank::number
