// Rounding to a format from an exact value, and rounding to integral values.
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// The T nearest to (-1)^negative * significand * 2^exponent under the mode's rounding; overflow
/// gives infinity or the largest finite value as the rounding says, a denormal result is flushed
/// if the mode says so. Bit 0 of `significand` may be a sticky bit if it lies at least two bits
/// below the last bit that T can hold. A zero significand gives zero of the sign.
template <Float T>
constexpr T round_to(bool negative, int exponent, u128 significand, const FloatMode& mode);

/// v_trunc_*, v_ceil_*, v_floor_*, v_rndne_*: exact; the sign of zero is kept, NaN is quieted.
template <Float T>
constexpr T trunc(T a, const FloatMode& mode);
template <Float T>
constexpr T ceil(T a, const FloatMode& mode);
template <Float T>
constexpr T floor(T a, const FloatMode& mode);
template <Float T>
constexpr T rndne(T a, const FloatMode& mode);
/// v_fract_*: a - floor(a), never 1: at most the largest value below 1. Infinity gives NaN.
template <Float T>
T fract(T a, const FloatMode& mode);

/// v_frexp_mant_*: the significand in [0.5, 1) with a's sign; zero, infinity and NaN unchanged
/// (NaN quieted). Denormals are normalised.
template <Float T>
constexpr T frexp_mant(T a, const FloatMode& mode);
/// v_frexp_exp_*: e with a = frexp_mant(a) * 2^e; 0 for zero, infinity and NaN.
template <Float T>
constexpr std::int32_t frexp_exp(T a, const FloatMode& mode);
/// v_ldexp_*: a * 2^exponent, rounded once.
template <Float T>
constexpr T ldexp(T a, std::int32_t exponent, const FloatMode& mode);

}  // namespace wavetank::number
