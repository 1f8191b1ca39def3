// Reductions along one dimension by rocPRIM, together with the map that feeds them: `sum(a, 0)`
// adds the rows of a matrix, `sum(a, 1)` its columns. One launch for all of them.
#pragma once

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

  __device__ auto at(linear_position p) const { return tree.at(p); }
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

/// The shape of `whole` without the dimension `axis`; a vector leaves one element.
template <int Rank>
auto without(const extents<Rank>& whole, int axis) {
  extents<(Rank > 1 ? Rank - 1 : 1)> shape;
  shape[0] = 1;
  for (int d = 0, to = 0; d < Rank; ++d)
    if (d != axis) shape[to++] = whole[d];
  return shape;
}

template <int Rank>
void require_axis(int axis, const extents<Rank>& shape) {
  if (axis < 0 || axis >= Rank)
    throw shape_error("an array of shape " + to_string(shape) + " has no dimension " +
                      std::to_string(axis));
}

}  // namespace detail

/// reduce() along the dimension `axis`, which the result lacks.
template <class T, expression E, class Op>
auto reduce(const E& e, int axis, const Op& op, T initial) {
  constexpr int rank = E::rank;
  const extents<rank> shape = e.shape();
  detail::require_axis(axis, shape);
  const auto kept = detail::without(shape, axis);
  array<T, std::remove_cvref_t<decltype(kept)>{}.values.size()> result(kept);
  if (result.size() == 0) return result;
  if (shape[axis] == 0) {
    result.fill(initial);
    return result;
  }
  auto element = detail::element_of<T>(e);
  extents<rank> moved = shape;
  for (int d = 0, to = 0; d < rank; ++d)
    if (d != axis) moved[to++] = shape[d];
  moved[rank - 1] = shape[axis];
  extents<rank> small = moved;  // extents that 32 bits hold, also where they are not used
  if (!element.narrow)
    for (auto& extent : small.values) extent = 1;
  using Tree = detail::axis_last<decltype(element.tree), rank>;
  const detail::element<T, Tree, rank> read{
      Tree{element.tree, axis}, detail::unraveller<rank, std::int32_t>(small),
      detail::unraveller<rank, std::int64_t>(moved), element.side_by_side && axis == rank - 1,
      element.narrow};
  const auto start = rocprim::make_transform_iterator(
      rocprim::counting_iterator<std::size_t>(0),
      detail::start_of_segment{static_cast<std::size_t>(shape[axis])});
  const auto input =
      rocprim::make_transform_iterator(rocprim::counting_iterator<std::size_t>(0), read);
  detail::with_storage("reducing along a dimension", [&](void* memory, std::size_t& bytes) {
    return rocprim::segmented_reduce(memory, bytes, input, result.data(),
                                     static_cast<unsigned int>(result.size()), start, start + 1, op,
                                     initial, current_stream());
  });
  return result;
}

/// The same, but the result keeps the dimension with the extent 1.
template <class T, expression E, class Op>
array<T, E::rank> reduce(const E& e, int axis, const Op& op, T initial, keep_dimension_t) {
  extents<E::rank> shape = e.shape();
  const auto result = reduce(e, axis, op, initial);
  shape[axis] = 1;
  return array<T, E::rank>(
      view<T, E::rank>(result.memory(), result.data(), shape, shape.strides()));
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
  detail::require_axis(axis, e.shape());
  auto result = reduce(cast<Mean>(e), axis, rocprim::plus<Mean>(), Mean(0), keep...);
  result /= static_cast<Mean>(e.shape()[axis]);
  return result;
}

}  // namespace wavetank
