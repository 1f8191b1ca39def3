// Reductions along one dimension by rocPRIM, together with the map that feeds them: `sum(a, 0)`
// adds the rows of a matrix, `sum(a, 1)` its columns. One launch for all of them. Each takes
// keep_dimension as its last argument.
#pragma once

#include "create.hpp"
#include "reduce.hpp"

namespace wavetank {

/// Tells a reduction to keep the dimension along which it goes, with the extent 1, so that the
/// result stretches over the operand: `a - mean(a, 1, keep_dimension)`.
struct keep_dimension_t {};
inline constexpr keep_dimension_t keep_dimension{};

namespace detail {

/// A tree whose last coordinate is another dimension of the tree inside.
template <class Tree, int Rank>
struct axis_last {
  Tree tree;
  int axis;

  __device__ auto at(linear_position p) const { return tree.at(p); }  // the last one is the axis
  template <class Index>
  __device__ auto at(const position<Rank, Index>& p) const {
    position<Rank, Index> moved;
    for (int d = 0, from = 0; d < Rank; ++d)
      moved.at[d] = d == axis ? p.at[Rank - 1] : p.at[from++];
    return tree.at(moved);
  }
};

struct start_of_segment {
  std::size_t length;
  __host__ __device__ std::size_t operator()(std::size_t n) const { return n * length; }
};

/// The shape of a reduction of `whole` along `axis`: without that dimension (of a vector one
/// element is left), or with one of size 1.
template <int Rank>
auto reduced(const extents<Rank>& whole, int axis) {
  extents<(Rank > 1 ? Rank - 1 : 1)> shape;
  shape[0] = 1;
  for (int d = 0, to = 0; d < Rank; ++d)
    if (d != axis) shape[to++] = whole[d];
  return shape;
}
template <int Rank>
auto reduced(extents<Rank> whole, int axis, keep_dimension_t) {
  whole[axis] = 1;
  return whole;
}

template <int Rank>
void require_axis(int axis, const extents<Rank>& shape) {
  if (axis < 0 || axis >= Rank)
    throw shape_error("an array of shape " + to_string(shape) + " has no dimension " +
                      std::to_string(axis));
}

/// The n-th element of `e` as T if its dimension `axis` were the last one.
template <class T, class E>
auto element_along(const E& e, int axis) {
  constexpr int rank = E::rank;
  const extents<rank> shape = e.shape();
  const auto element = element_of<T>(e);
  extents<rank> moved;
  for (int d = 0, to = 0; d < rank; ++d)
    if (d != axis) moved[to++] = shape[d];
  moved[rank - 1] = shape[axis];
  extents<rank> small = moved;  // extents that 32 bits hold, also where they are not used
  if (!element.narrow)
    for (auto& extent : small.values) extent = 1;
  using Tree = axis_last<decltype(element.tree), rank>;
  return detail::element<T, Tree, rank>{Tree{element.tree, axis},
                                        unraveller<rank, std::int32_t>(small),
                                        unraveller<rank, std::int64_t>(moved),
                                        element.side_by_side && axis == rank - 1, element.narrow};
}

/// Combines `initial` and `length` elements at a time of what `element` gives for 0, 1, 2, ... into
/// the elements of `result`, which has no gaps.
template <class T, int Rank, class Element, class Op>
void reduce_segments(const view<T, Rank>& result, const Element& element, std::int64_t length,
                     const Op& op, const T& initial) {
  const rocprim::counting_iterator<std::size_t> places(0);
  const auto start =
      rocprim::make_transform_iterator(places, start_of_segment{static_cast<std::size_t>(length)});
  const auto input = rocprim::make_transform_iterator(places, element);
  with_storage("reducing along a dimension", [&](void* memory, std::size_t& bytes) {
    return rocprim::segmented_reduce(memory, bytes, input, result.data(),
                                     static_cast<unsigned int>(result.size()), start, start + 1, op,
                                     initial, current_stream());
  });
}

/// Throws unless `e` has the dimension `axis`, and elements along it.
template <expression E>
void require_elements_along(const E& e, int axis, const char* what) {
  require_axis(axis, e.shape());
  require_elements(e.shape()[axis], what);
}

/// An element with its place along the dimension that is reduced.
template <class Element>
struct placed_along {
  Element element;
  std::size_t length;
  __device__ auto operator()(std::size_t n) const {
    return placed<decltype(element(n))>{element(n), static_cast<std::int64_t>(n % length)};
  }
};
struct place_of_placed {
  template <class T>
  __host__ __device__ std::int64_t operator()(const placed<T>& p) const {
    return p.place;
  }
};

template <class Before, class E, class... Keep>
auto places_along(const E& e, int axis, Keep... keep) {
  using T = value_type_of<E>;
  require_elements_along(e, axis, "the place of an extreme");
  const std::int64_t length = e.shape()[axis];
  auto found = empty<placed<T>>(reduced(e.shape(), axis, keep...));
  const auto element = element_along<T>(e, axis);
  if (found.size() != 0)
    reduce_segments(found, placed_along<decltype(element)>{element, std::size_t(length)}, length,
                    first_placed<Before>{}, placed<T>{T(), -1});
  return evaluate(map(place_of_placed{}, found));
}

}  // namespace detail

/// reduce() along the dimension `axis`, which the result lacks, or keeps with the extent 1.
template <class T, expression E, class Op, class... Keep>
auto reduce(const E& e, int axis, const Op& op, T initial, Keep... keep) {
  detail::require_axis(axis, e.shape());
  auto result = empty<T>(detail::reduced(e.shape(), axis, keep...));
  if (e.shape()[axis] == 0)
    result.fill(initial);
  else if (result.size() != 0)
    detail::reduce_segments(result, detail::element_along<T>(e, axis), e.shape()[axis], op,
                            initial);
  return result;
}

/// Sums along a dimension; integers and bool in 64 bits.
template <expression E, class... Keep>
auto sum(const E& e, int axis, Keep... keep) {
  using T = detail::sum_t<value_type_of<E>>;
  return reduce(e, axis, rocprim::plus<T>(), T(0), keep...);
}
/// Means along a dimension; of integers as double.
template <expression E, class... Keep>
auto mean(const E& e, int axis, Keep... keep) {
  using T = value_type_of<E>;
  using Mean = std::conditional_t<std::is_integral_v<T>, double, T>;
  detail::require_elements_along(e, axis, "the mean");
  auto result = reduce(cast<Mean>(e), axis, rocprim::plus<Mean>(), Mean(0), keep...);
  result /= static_cast<Mean>(e.shape()[axis]);
  return result;
}
/// The smallest elements along a dimension; NaN where one is there.
template <expression E, class... Keep>
auto minimum(const E& e, int axis, Keep... keep) {
  detail::require_elements_along(e, axis, "the minimum");
  return reduce(e, axis, detail::smaller{}, detail::largest_of<value_type_of<E>>(), keep...);
}
/// The largest elements along a dimension; NaN where one is there.
template <expression E, class... Keep>
auto maximum(const E& e, int axis, Keep... keep) {
  detail::require_elements_along(e, axis, "the maximum");
  return reduce(e, axis, detail::larger{}, detail::smallest_of<value_type_of<E>>(), keep...);
}
/// Where along a dimension the smallest elements are, the first ones of equals.
template <expression E, class... Keep>
auto argmin(const E& e, int axis, Keep... keep) {
  return detail::places_along<rocprim::less<value_type_of<E>>>(e, axis, keep...);
}
/// Where along a dimension the largest elements are, the first ones of equals.
template <expression E, class... Keep>
auto argmax(const E& e, int axis, Keep... keep) {
  return detail::places_along<rocprim::greater<value_type_of<E>>>(e, axis, keep...);
}
/// Whether along a dimension one element, or every element, is not zero.
template <expression E, class... Keep>
auto any(const E& e, int axis, Keep... keep) {
  return reduce(e, axis, detail::either{}, false, keep...);
}
template <expression E, class... Keep>
auto all(const E& e, int axis, Keep... keep) {
  return reduce(e, axis, detail::both{}, true, keep...);
}

}  // namespace wavetank
