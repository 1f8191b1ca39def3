// The n-th element of an expression in row-major order, as an iterator for rocPRIM: what feeds a
// reduction, a scan or a filter is computed inside of it.
#pragma once

#if !__has_include(<rocprim/rocprim.hpp>)
#error "this header of wavetank::array needs rocPRIM: install librocprim-dev"
#endif
#include <cstring>  // which rocPRIM 7.2 uses and does not include
#include <rocprim/rocprim.hpp>

#include "array.hpp"

namespace wavetank::detail {

/// Whether E is a view, or an array, of elements T.
template <class T, class E>
inline constexpr bool is_view_of = false;
template <class T, int Rank>
inline constexpr bool is_view_of<T, view<T, Rank>> = true;
template <class T, int Rank>
inline constexpr bool is_view_of<T, array<T, Rank>> = true;

/// Computes the n-th value of an expression.
template <class T, class Tree, int Rank>
struct element {
  Tree tree;
  unraveller<Rank, std::int32_t> narrow_unravel;
  unraveller<Rank, std::int64_t> wide_unravel;
  bool side_by_side, narrow;

  __device__ T operator()(std::size_t n) const {
    if (side_by_side)
      return static_cast<T>(tree.at(linear_position{static_cast<std::int64_t>(n), 0}));
    if (narrow) return static_cast<T>(tree.at(narrow_unravel(n)));
    return static_cast<T>(tree.at(wide_unravel(n)));
  }
};

/// The same where all lies side by side: no question is asked for each element.
template <class T, class Tree>
struct neighbour {
  Tree tree;
  __device__ T operator()(std::size_t n) const {
    return static_cast<T>(tree.at(linear_position{static_cast<std::int64_t>(n), 0}));
  }
};

/// The elements of `e` as T, in row-major order of `e.shape()`.
template <class T, class E>
auto element_of(const E& e) {
  using Tree = std::remove_cvref_t<decltype(e.lower(anyhow))>;
  const extents<E::rank> shape = e.shape();
  bool side_by_side = true, narrow = shape.count() <= std::numeric_limits<std::int32_t>::max();
  e.for_each_leaf([&](const auto& v) {
    bool same = false;
    if constexpr (std::remove_cvref_t<decltype(v)>::rank == E::rank) same = v.shape() == shape;
    side_by_side = side_by_side && same && v.is_contiguous();
    narrow = narrow && is_narrow(v);
  });
  extents<E::rank> small = shape;  // extents that 32 bits hold, also where they are not used
  if (!narrow)
    for (auto& extent : small.values) extent = 1;
  return element<T, Tree, E::rank>{e.lower(anyhow), unraveller<E::rank, std::int32_t>(small),
                                   unraveller<E::rank, std::int64_t>(shape), side_by_side, narrow};
}

/// An iterator over the elements of `e` as T.
template <class T, class E>
auto element_iterator(const E& e) {
  return rocprim::make_transform_iterator(rocprim::counting_iterator<std::size_t>(0),
                                          element_of<T>(e));
}

/// Calls f with an iterator over the elements of `e` as T: a pointer where `e` is an array without
/// gaps, and the faster one of the other two where all lies side by side.
template <class T, class E, class F>
void with_elements(const E& e, F&& f) {
  if constexpr (is_view_of<T, E>)
    if (e.is_contiguous()) return f(static_cast<const T*>(e.data()));
  const auto element = element_of<T>(e);
  const rocprim::counting_iterator<std::size_t> places(0);
  if constexpr (!is_view_of<T, E>) {
    if (element.side_by_side) {
      const auto tree = e.lower(side_by_side);
      using Tree = std::remove_cvref_t<decltype(tree)>;
      return f(rocprim::make_transform_iterator(places, neighbour<T, Tree>{tree}));
    }
  }
  f(rocprim::make_transform_iterator(places, element));
}

/// Calls a function of rocPRIM twice, as it wants it: for the size of its storage, and with it.
template <class F>
void with_storage(const char* name, F&& call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes), name);
  const storage memory(bytes ? bytes : 1);
  check(call(memory.data(), bytes), name);
}

}  // namespace wavetank::detail
