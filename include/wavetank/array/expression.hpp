// Expressions: trees of operations on arrays that hold no values. Assigning one to an array is one
// kernel, whatever the depth (assign.hpp). An expression shares the memory of its arrays, so it may
// be kept in a variable.
#pragma once

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tree.hpp"

namespace wavetank {

/// What can be an operand: arrays, views, and expressions of them. Each has
///   value_type, rank     its elements and dimensions
///   shape()              its extents; throws shape_error if its operands do not fit
///   lower(layout)        what a kernel takes: with at(position), which gives a value
///   for_each_leaf(f)     calls f with each view in it
template <class E>
concept expression = requires { typename std::remove_cvref_t<E>::wavetank_expression; };

/// What may stand beside an expression as a number.
template <class T>
concept scalar = !expression<T> && std::is_trivially_copyable_v<std::remove_cvref_t<T>> &&
                 !std::is_pointer_v<std::decay_t<T>>;

template <class E>
using value_type_of = typename std::remove_cvref_t<E>::value_type;

namespace detail {

/// The same number everywhere, on the host and in a kernel.
template <class T>
struct constant {
  using wavetank_expression = void;
  using value_type = T;
  static constexpr int rank = 0;
  static constexpr std::size_t widest = 1;
  static constexpr int loads = 0;
  T value;

  extents<0> shape() const { return {}; }
  template <class Layout>
  constant lower(Layout) const {
    return *this;
  }
  template <class F>
  void for_each_leaf(F&&) const {}
  template <class Position>
  __device__ T at(const Position&) const {
    return value;
  }
  template <int Count>
  __device__ batch<T, Count> batch_at(linear_position p) const {
    return each_of_batch<Count>(*this, p);
  }
};

/// An operation and its operands on the host.
template <class Op, class... Kids>
class node {
  static_assert(std::is_invocable_v<const Op&, typename Kids::value_type...>,
                "the function cannot be called with these elements (a lambda needs no __device__)");

 public:
  using wavetank_expression = void;
  using value_type =
      std::remove_cvref_t<std::invoke_result_t<const Op&, typename Kids::value_type...>>;
  static constexpr int rank = std::max({Kids::rank...});

  explicit node(const Op& op, const Kids&... kids) : op_(op), kids_(kids...) {}

  extents<rank> shape() const {
    return std::apply([](const auto&... kid) { return broadcast_shape<rank>(kid.shape()...); },
                      kids_);
  }
  template <class Layout>
  auto lower(Layout layout) const {
    return std::apply([&](const auto&... kid) { return lowered(op_, kid.lower(layout)...); },
                      kids_);
  }
  template <class F>
  void for_each_leaf(F&& f) const {
    std::apply([&](const auto&... kid) { (kid.for_each_leaf(f), ...); }, kids_);
  }

 private:
  template <class... Lowered>
  static auto lowered(const Op& op, const Lowered&... kids) {
    return device_node<Op, std::index_sequence_for<Lowered...>, Lowered...>(op, kids...);
  }

  Op op_;
  std::tuple<Kids...> kids_;
};

/// The type in which a number takes part beside elements of type E: floating-point arrays and
/// arrays of integers keep their type, but an integer array beside a fraction does not.
template <class E, class S>
using beside_t = std::conditional_t<std::is_arithmetic_v<E> && std::is_arithmetic_v<S> &&
                                        !std::is_same_v<E, bool> &&
                                        (std::is_floating_point_v<E> || std::is_integral_v<S>),
                                    E, S>;

template <class E, class S>
constant<beside_t<E, S>> number_beside(const S& value) {
  if constexpr (std::is_integral_v<E> && std::is_integral_v<S> && !std::is_same_v<E, bool> &&
                !std::is_same_v<S, bool>)
    if (!std::in_range<E>(value))
      throw array_error("the number " + std::to_string(value) +
                        " does not fit into an element of the array beside it");
  return {static_cast<beside_t<E, S>>(value)};
}

/// What an expression keeps of an operand: views and nodes as they are (an array gives its view).
template <expression E>
auto operand(const E& e) {
  return e.as_operand();
}
template <class Op, class... Kids>
auto operand(const node<Op, Kids...>& e) {
  return e;
}
template <class T>
auto operand(const constant<T>& e) {
  return e;
}

template <class E>
using operand_t = decltype(operand(std::declval<const E&>()));

/// The node of an operation on expressions.
template <class Op, expression... E>
auto make_node(const Op& op, const E&... each) {
  return node<Op, operand_t<E>...>(op, operand(each)...);
}

/// The node of an operation on two operands of which at least one is an expression.
template <class Op, class A, class B>
auto make_binary(const Op& op, const A& a, const B& b) {
  if constexpr (expression<A> && expression<B>)
    return make_node(op, a, b);
  else if constexpr (expression<A>)
    return make_node(op, a, number_beside<value_type_of<A>>(b));
  else
    return make_node(op, number_beside<value_type_of<B>>(a), b);
}

/// Two operands of an operation: expressions, or one and a number.
template <class A, class B>
concept operands = (expression<A> && (expression<B> || scalar<B>)) || (scalar<A> && expression<B>);

}  // namespace detail
}  // namespace wavetank
