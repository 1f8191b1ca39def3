// The device library's functions that the program functions.hip tests: each as the device computes
// it in f32 and f64, as the host does in a wider format, and as MPFR does.
#pragma once

#include <hip/hip_runtime.h>
#include <mpfr.h>

#include <cmath>
#include <limits>

namespace wavetank::numbers {

// What Debian's device library (ROCm 5.2.3) gets wrong by itself, on any device, is not asked:
//  - tgammaf of a negative number: up to 116 ulp off above -31, 0 below (a factor overflows). Its
//    IR, compiled for the host, gives the same. OpenCL's conformance tests leave tgamma out;
//  - hsin gives NaN for every finite number: it selects 0x7e00 for class mask 504, the finite ones.

/// cos and sin of pi x, with the exact remainder of a division by 2.
template <class W>
W half_turns(W x, bool cosine) {
  if (std::isinf(x)) return std::numeric_limits<W>::quiet_NaN();
  const W rest = x - 2 * std::nearbyint(x / 2);
  const W size = std::fabs(rest);
  if (cosine && size == W(0.5)) return 0;
  if (!cosine && size == 1) return 0;
  const W angle = rest * W(3.14159265358979323846264338327950288L);
  return cosine ? std::cos(angle) : std::sin(angle);
}
inline double exp10_of(double x) { return ::exp10(x); }
inline long double exp10_of(long double x) { return ::exp10l(x); }

/// Whether the library is asked for F at x, and how the row says so; see above.
template <class F, class T>
bool is_asked(T) {
  return true;
}
template <class F, class T>
constexpr const char* kRestriction = "";

#define WAVETANK_UNARY(NAME, F32, F64, HOST, EXACT)                        \
  struct NAME##_function {                                                 \
    static constexpr const char* name = #NAME;                             \
    __device__ static float device(float x) { return F32; }                \
    __device__ static double device(double x) { return F64; }              \
    template <class W>                                                     \
    static W host(W x) {                                                   \
      return HOST;                                                         \
    }                                                                      \
    static void exact(mpfr_t r, mpfr_srcptr x) { EXACT; }                  \
  };
#define WAVETANK_STANDARD(NAME) \
  WAVETANK_UNARY(NAME, NAME##f(x), ::NAME(x), std::NAME(x), mpfr_##NAME(r, x, MPFR_RNDN))

WAVETANK_STANDARD(acos)
WAVETANK_STANDARD(acosh)
WAVETANK_STANDARD(asin)
WAVETANK_STANDARD(asinh)
WAVETANK_STANDARD(atan)
WAVETANK_STANDARD(atanh)
WAVETANK_STANDARD(cbrt)
WAVETANK_STANDARD(cos)
WAVETANK_STANDARD(cosh)
WAVETANK_STANDARD(erf)
WAVETANK_STANDARD(erfc)
WAVETANK_STANDARD(exp)
WAVETANK_STANDARD(exp2)
WAVETANK_STANDARD(expm1)
WAVETANK_STANDARD(log)
WAVETANK_STANDARD(log10)
WAVETANK_STANDARD(log1p)
WAVETANK_STANDARD(log2)
WAVETANK_STANDARD(sin)
WAVETANK_STANDARD(sinh)
WAVETANK_STANDARD(sqrt)
WAVETANK_STANDARD(tan)
WAVETANK_STANDARD(tanh)
WAVETANK_UNARY(cospi, cospif(x), ::cospi(x), half_turns(x, true), mpfr_cospi(r, x, MPFR_RNDN))
WAVETANK_UNARY(sinpi, sinpif(x), ::sinpi(x), half_turns(x, false), mpfr_sinpi(r, x, MPFR_RNDN))
WAVETANK_UNARY(exp10, exp10f(x), ::exp10(x), exp10_of(x), mpfr_exp10(r, x, MPFR_RNDN))
WAVETANK_UNARY(rsqrt, rsqrtf(x), ::rsqrt(x), 1 / std::sqrt(x), mpfr_rec_sqrt(r, x, MPFR_RNDN))
WAVETANK_UNARY(tgamma, tgammaf(x), ::tgamma(x), std::tgamma(x), mpfr_gamma(r, x, MPFR_RNDN))
WAVETANK_UNARY(lgamma, lgammaf(x), ::lgamma(x), std::lgamma(x), int sign;
               mpfr_lgamma(r, &sign, x, MPFR_RNDN))
template <>
inline bool is_asked<tgamma_function, float>(float x) {
  return !(x < 0);
}
template <>
constexpr const char* kRestriction<tgamma_function, float> = ", x >= 0";
WAVETANK_UNARY(ceil, ceilf(x), ::ceil(x), std::ceil(x), mpfr_ceil(r, x))
WAVETANK_UNARY(floor, floorf(x), ::floor(x), std::floor(x), mpfr_floor(r, x))
WAVETANK_UNARY(trunc, truncf(x), ::trunc(x), std::trunc(x), mpfr_trunc(r, x))
WAVETANK_UNARY(round, roundf(x), ::round(x), std::round(x), mpfr_round(r, x))
WAVETANK_UNARY(rint, rintf(x), ::rint(x), std::nearbyint(x), mpfr_rint(r, x, MPFR_RNDN))

#define WAVETANK_BINARY(NAME, F32, F64, HOST, EXACT)                            \
  struct NAME##_function {                                                      \
    static constexpr const char* name = #NAME;                                  \
    __device__ static float device(float x, float y) { return F32; }            \
    __device__ static double device(double x, double y) { return F64; }         \
    template <class W>                                                          \
    static W host(W x, W y) {                                                   \
      return HOST;                                                              \
    }                                                                           \
    static void exact(mpfr_t r, mpfr_srcptr x, mpfr_srcptr y) { EXACT; }        \
  };
#define WAVETANK_STANDARD2(NAME)                                  \
  WAVETANK_BINARY(NAME, NAME##f(x, y), ::NAME(x, y), std::NAME(x, y), \
                  mpfr_##NAME(r, x, y, MPFR_RNDN))

WAVETANK_STANDARD2(atan2)
WAVETANK_STANDARD2(pow)
WAVETANK_STANDARD2(hypot)
WAVETANK_STANDARD2(fmod)
WAVETANK_STANDARD2(remainder)
WAVETANK_BINARY(fdim, fdimf(x, y), ::fdim(x, y), std::fdim(x, y), mpfr_dim(r, x, y, MPFR_RNDN))
WAVETANK_BINARY(divide, x / y, x / y, x / y, mpfr_div(r, x, y, MPFR_RNDN))

}  // namespace wavetank::numbers
