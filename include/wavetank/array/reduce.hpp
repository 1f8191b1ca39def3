// Reductions of whole arrays by rocPRIM, together with the map that feeds them: one pass over the
// operands, nothing in between is stored. The result is a value on the host.
#pragma once

#include "element.hpp"
#include "operators.hpp"

namespace wavetank {
namespace detail {

/// The type in which elements of T are added: small integers and bool in 64 bits, as NumPy does.
template <class T>
using sum_t =
    std::conditional_t<!std::is_integral_v<T>, T,
                       std::conditional_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>,
                                          std::uint64_t, std::int64_t>>;

struct smaller {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a != a || a < b ? a : b;  // a NaN stays
  }
};
struct larger {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a != a || b < a ? a : b;
  }
};
struct both {
  __host__ __device__ bool operator()(bool a, bool b) const { return a && b; }
};
struct either {
  __host__ __device__ bool operator()(bool a, bool b) const { return a || b; }
};

inline void require_elements(std::int64_t count, const char* what) {
  if (count == 0)
    throw shape_error(std::string(what) + " of an array without elements has no value");
}

}  // namespace detail

/// Combines `initial` and all elements of `e` by `op`, which must be associative and commutative
/// and is called in any order.
template <class T, expression E, class Op>
T reduce(const E& e, const Op& op, T initial) {
  const std::int64_t count = e.shape().count();
  if (count == 0) return initial;
  const detail::storage result(sizeof(T));
  detail::with_storage("reducing an array", [&](void* memory, std::size_t& bytes) {
    return rocprim::reduce(memory, bytes, detail::element_iterator<T>(e),
                           static_cast<T*>(result.data()), initial, count, op, current_stream());
  });
  return detail::fetch<T>(result);
}
/// reduce() of f(x) for each element x.
template <class F, class T, expression E, class Op>
T map_reduce(const F& f, const Op& op, T initial, const E& e) {
  return reduce(detail::make_node(f, e), op, initial);
}

/// The sum of all elements; integers and bool in 64 bits.
template <expression E>
auto sum(const E& e) {
  return reduce(e, rocprim::plus<detail::sum_t<value_type_of<E>>>(),
                detail::sum_t<value_type_of<E>>(0));
}
/// The mean of all elements; of integers as double.
template <expression E>
auto mean(const E& e) {
  using T = value_type_of<E>;
  detail::require_elements(e.shape().count(), "the mean");
  using Mean = std::conditional_t<std::is_integral_v<T>, double, T>;
  return static_cast<Mean>(sum(e)) / static_cast<Mean>(e.shape().count());
}
/// The inner product of two arrays.
template <expression A, expression B>
auto dot(const A& a, const B& b) {
  return sum(a * b);
}

}  // namespace wavetank
