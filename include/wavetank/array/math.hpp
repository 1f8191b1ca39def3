// Mathematical functions, element by element, as expressions. Names and results are those of
// <cmath> on the device; functions of integers give double.
#pragma once

#include <cmath>

#include "map.hpp"

namespace wavetank {

#define WAVETANK_FUNCTION(name)                             \
  namespace detail {                                        \
  struct name##_function {                                  \
    template <class A>                                      \
    __host__ __device__ auto operator()(A a) const {        \
      return std::name(a);                                  \
    }                                                       \
  };                                                        \
  }                                                         \
  template <expression A>                                   \
  auto name(const A& a) {                                   \
    return detail::make_node(detail::name##_function{}, a); \
  }
#define WAVETANK_FUNCTION_OF_TWO(name)                           \
  namespace detail {                                             \
  struct name##_function {                                       \
    template <class A, class B>                                  \
    __host__ __device__ auto operator()(A a, B b) const {        \
      return std::name(a, b);                                    \
    }                                                            \
  };                                                             \
  }                                                              \
  template <class A, class B>                                    \
    requires detail::operands<A, B>                              \
  auto name(const A& a, const B& b) {                            \
    return detail::make_binary(detail::name##_function{}, a, b); \
  }

WAVETANK_FUNCTION(abs)
WAVETANK_FUNCTION(sqrt)
WAVETANK_FUNCTION(cbrt)
WAVETANK_FUNCTION(exp)
WAVETANK_FUNCTION(exp2)
WAVETANK_FUNCTION(expm1)
WAVETANK_FUNCTION(log)
WAVETANK_FUNCTION(log2)
WAVETANK_FUNCTION(log10)
WAVETANK_FUNCTION(log1p)
WAVETANK_FUNCTION(sin)
WAVETANK_FUNCTION(cos)
WAVETANK_FUNCTION(tan)
WAVETANK_FUNCTION(asin)
WAVETANK_FUNCTION(acos)
WAVETANK_FUNCTION(atan)
WAVETANK_FUNCTION(sinh)
WAVETANK_FUNCTION(cosh)
WAVETANK_FUNCTION(tanh)
WAVETANK_FUNCTION(erf)
WAVETANK_FUNCTION(tgamma)
WAVETANK_FUNCTION(floor)
WAVETANK_FUNCTION(ceil)
WAVETANK_FUNCTION(round)
WAVETANK_FUNCTION(trunc)
WAVETANK_FUNCTION(isnan)
WAVETANK_FUNCTION(isinf)
WAVETANK_FUNCTION(isfinite)
WAVETANK_FUNCTION_OF_TWO(pow)
WAVETANK_FUNCTION_OF_TWO(atan2)
WAVETANK_FUNCTION_OF_TWO(hypot)
WAVETANK_FUNCTION_OF_TWO(fmod)

#undef WAVETANK_FUNCTION
#undef WAVETANK_FUNCTION_OF_TWO

namespace detail {
struct smaller {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a != a || a < b ? a : b;  // a NaN stays, as with NumPy
  }
};
struct larger {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a != a || b < a ? a : b;
  }
};
struct limit {
  template <class T, class U>
  __host__ __device__ T operator()(T a, U low, U high) const {
    const T l = static_cast<T>(low), h = static_cast<T>(high);
    return a < l ? l : h < a ? h : a;
  }
};
}  // namespace detail

/// The smaller of two elements; NaN if one is.
template <class A, class B>
  requires detail::operands<A, B>
auto min(const A& a, const B& b) {
  return detail::make_binary(detail::smaller{}, a, b);
}
/// The larger of two elements; NaN if one is.
template <class A, class B>
  requires detail::operands<A, B>
auto max(const A& a, const B& b) {
  return detail::make_binary(detail::larger{}, a, b);
}
/// Each element, but at least `low` and at most `high`.
template <expression A, class S>
auto clamp(const A& a, const S& low, const S& high) {
  return broadcast(detail::limit{}, a, low, high);
}

}  // namespace wavetank
