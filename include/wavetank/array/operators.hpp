// Arithmetic, comparisons and logic, element by element, as expressions. C++'s own rules say what
// type two elements give; a number takes the type of the array beside it, so that `a + 1.0` stays a
// float where a is one.
#pragma once

#include "view.hpp"

namespace wavetank {

// One operation on two operands, and the assignment that goes with it if there is one.
#define WAVETANK_BINARY(name, symbol)                               \
  namespace detail {                                                \
  struct name {                                                     \
    template <class A, class B>                                     \
    __host__ __device__ constexpr auto operator()(A a, B b) const { \
      return a symbol b;                                            \
    }                                                               \
  };                                                                \
  }                                                                 \
  template <class A, class B>                                       \
    requires detail::operands<A, B>                                 \
  auto operator symbol(const A& a, const B& b) {                    \
    return detail::make_binary(detail::name{}, a, b);               \
  }
#define WAVETANK_ASSIGNMENT(name, symbol)                                     \
  template <class T, int Rank, class B>                                       \
    requires(expression<B> || scalar<B>)                                      \
  const view<T, Rank>& operator symbol(const view<T, Rank>& a, const B & b) { \
    a.set(detail::make_binary(detail::name{}, a, b));                         \
    return a;                                                                 \
  }
#define WAVETANK_UNARY(name, symbol)                           \
  namespace detail {                                           \
  struct name {                                                \
    template <class A>                                         \
    __host__ __device__ constexpr auto operator()(A a) const { \
      return symbol a;                                         \
    }                                                          \
  };                                                           \
  }                                                            \
  template <expression A>                                      \
  auto operator symbol(const A& a) {                           \
    return detail::make_node(detail::name{}, a);               \
  }

WAVETANK_BINARY(add, +)
WAVETANK_BINARY(subtract, -)
WAVETANK_BINARY(multiply, *)
WAVETANK_BINARY(divide, /)
WAVETANK_BINARY(remainder, %)
WAVETANK_BINARY(bit_and, &)
WAVETANK_BINARY(bit_or, |)
WAVETANK_BINARY(bit_xor, ^)
WAVETANK_BINARY(shift_left, <<)
WAVETANK_BINARY(shift_right, >>)
WAVETANK_BINARY(equal, ==)
WAVETANK_BINARY(not_equal, !=)
WAVETANK_BINARY(less, <)
WAVETANK_BINARY(greater, >)
WAVETANK_BINARY(less_equal, <=)
WAVETANK_BINARY(greater_equal, >=)
WAVETANK_BINARY(logical_and, &&)
WAVETANK_BINARY(logical_or, ||)

WAVETANK_ASSIGNMENT(add, +=)
WAVETANK_ASSIGNMENT(subtract, -=)
WAVETANK_ASSIGNMENT(multiply, *=)
WAVETANK_ASSIGNMENT(divide, /=)
WAVETANK_ASSIGNMENT(remainder, %=)
WAVETANK_ASSIGNMENT(bit_and, &=)
WAVETANK_ASSIGNMENT(bit_or, |=)
WAVETANK_ASSIGNMENT(bit_xor, ^=)
WAVETANK_ASSIGNMENT(shift_left, <<=)
WAVETANK_ASSIGNMENT(shift_right, >>=)

WAVETANK_UNARY(negate, -)
WAVETANK_UNARY(logical_not, !)
WAVETANK_UNARY(bit_not, ~)

#undef WAVETANK_BINARY
#undef WAVETANK_ASSIGNMENT
#undef WAVETANK_UNARY

}  // namespace wavetank
