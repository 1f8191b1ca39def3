// Reductions of whole arrays by rocPRIM, together with the map that feeds them: one pass over the
// operands, nothing in between is stored. The result is a value on the host.
#pragma once

#include "element.hpp"
#include "math.hpp"
#include "operators.hpp"

namespace wavetank {
namespace detail {

/// The type in which elements of T are added: small integers and bool in 64 bits, as NumPy does.
template <class T>
using sum_t =
    std::conditional_t<!std::is_integral_v<T>, T,
                       std::conditional_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>,
                                          std::uint64_t, std::int64_t>>;

struct both {
  __host__ __device__ bool operator()(bool a, bool b) const { return a && b; }
};
struct either {
  __host__ __device__ bool operator()(bool a, bool b) const { return a || b; }
};

/// The number that no other exceeds, and the one that exceeds no other.
template <class T>
constexpr T largest_of() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? Limits::infinity() : Limits::max();
}
template <class T>
constexpr T smallest_of() {
  using Limits = std::numeric_limits<T>;
  return Limits::has_infinity ? T(-Limits::infinity()) : Limits::lowest();
}

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
  detail::with_elements<T>(e, [&](const auto& elements) {
    detail::with_storage("reducing an array", [&](void* memory, std::size_t& bytes) {
      return rocprim::reduce(memory, bytes, elements, static_cast<T*>(result.data()), initial,
                             count, op, current_stream());
    });
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
/// The smallest element; NaN if one is there.
template <expression E>
auto minimum(const E& e) {
  detail::require_elements(e.shape().count(), "the minimum");
  return reduce(e, detail::smaller{}, detail::largest_of<value_type_of<E>>());
}
/// The largest element; NaN if one is there.
template <expression E>
auto maximum(const E& e) {
  detail::require_elements(e.shape().count(), "the maximum");
  return reduce(e, detail::larger{}, detail::smallest_of<value_type_of<E>>());
}
/// Whether one element, or every element, is not zero.
template <expression E>
bool any(const E& e) {
  return reduce(e, detail::either{}, false);
}
template <expression E>
bool all(const E& e) {
  return reduce(e, detail::both{}, true);
}
/// The inner product of two arrays.
template <expression A, expression B>
auto dot(const A& a, const B& b) {
  return sum(a * b);
}

namespace detail {

/// An element with its place in row-major order.
template <class T>
struct placed {
  T value;
  std::int64_t place;
};
template <class Element>
struct placed_element {
  Element element;
  __device__ auto operator()(std::size_t n) const {
    return placed<decltype(element(n))>{element(n), static_cast<std::int64_t>(n)};
  }
};
/// The one that `Before` puts first; of equal ones that with the lower place. A NaN goes first.
template <class Before>
struct first_placed {
  template <class T>
  __host__ __device__ placed<T> operator()(const placed<T>& a, const placed<T>& b) const {
    if (a.place < 0 || b.place < 0) return a.place < 0 ? b : a;  // the initial one
    const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
    if (a_nan != b_nan) return a_nan ? a : b;
    if (Before{}(a.value, b.value)) return a;
    if (Before{}(b.value, a.value)) return b;
    return a.place < b.place ? a : b;
  }
};

template <class Before, class E>
std::int64_t place_of(const E& e) {
  using T = value_type_of<E>;
  const std::int64_t count = e.shape().count();
  require_elements(count, "the place of an extreme");
  const auto element = element_of<T>(e);
  const auto input = rocprim::make_transform_iterator(rocprim::counting_iterator<std::size_t>(0),
                                                      placed_element<decltype(element)>{element});
  const storage result(sizeof(placed<T>));
  with_storage("reducing an array", [&](void* memory, std::size_t& bytes) {
    return rocprim::reduce(memory, bytes, input, static_cast<placed<T>*>(result.data()),
                           placed<T>{T(), -1}, count, first_placed<Before>{}, current_stream());
  });
  return fetch<placed<T>>(result).place;
}

}  // namespace detail

/// Where the smallest element is, the first one of equals, as a number in row-major order.
template <expression E>
std::int64_t argmin(const E& e) {
  return detail::place_of<rocprim::less<value_type_of<E>>>(e);
}
/// Where the largest element is.
template <expression E>
std::int64_t argmax(const E& e) {
  return detail::place_of<rocprim::greater<value_type_of<E>>>(e);
}

}  // namespace wavetank
