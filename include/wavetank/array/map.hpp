// Functions of one's own on elements, as expressions: map, broadcast, select, cast.
#pragma once

#include "view.hpp"

namespace wavetank {
namespace detail {
struct choose {
  template <class A, class B>
  __host__ __device__ std::common_type_t<A, B> operator()(bool condition, A a, B b) const {
    return condition ? a : b;
  }
};
template <class To>
struct convert {
  template <class A>
  __host__ __device__ To operator()(A a) const {
    return static_cast<To>(a);
  }
};

/// An operand of broadcast: a number becomes a constant.
template <class E>
auto broadcast_operand(const E& e) {
  if constexpr (expression<E>)
    return operand(e);
  else
    return constant<E>{e};
}
}  // namespace detail

/// f(x), f(x, y), ... of the elements of arrays of one shape: `map([](float x) { return x + 1; },
/// a)`. A lambda that captures by value, or nothing, is for host and device without further words.
template <class F, expression A, expression... B>
auto map(const F& f, const A& a, const B&... others) {
  const auto require_same = [&](const auto& b) {
    if constexpr (std::remove_cvref_t<decltype(b)>::rank == A::rank)
      if (b.shape() == a.shape()) return;
    throw shape_error("map takes arrays of one shape, not " + to_string(a.shape()) + " and " +
                      to_string(b.shape()) + ": broadcast stretches them");
  };
  (require_same(others), ...);
  return detail::make_node(f, a, others...);
}

/// The same with NumPy's rules for shapes, and with numbers.
template <class F, class... Operand>
  requires(expression<Operand> || ...)
auto broadcast(const F& f, const Operand&... operands) {
  return detail::make_node(f, detail::broadcast_operand(operands)...);
}

/// a where the condition holds, otherwise b: element by element. Both are computed.
template <expression Condition, class A, class B>
  requires((expression<A> || scalar<A>) && (expression<B> || scalar<B>))
auto select(const Condition& condition, const A& a, const B& b) {
  if constexpr (expression<A> && !expression<B>)
    return detail::make_node(detail::choose{}, condition, a,
                             detail::number_beside<value_type_of<A>>(b));
  else if constexpr (!expression<A> && expression<B>)
    return detail::make_node(detail::choose{}, condition,
                             detail::number_beside<value_type_of<B>>(a), b);
  else
    return broadcast(detail::choose{}, condition, a, b);
}

/// The elements as To, by static_cast.
template <class To, expression E>
auto cast(const E& e) {
  return detail::make_node(detail::convert<To>{}, e);
}

}  // namespace wavetank
