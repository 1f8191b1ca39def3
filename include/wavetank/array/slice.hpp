// Parts and arrangements of arrays without copies: slices with strides, rows and columns,
// transposed and reversed views, other shapes.
#pragma once

#include "view.hpp"

namespace wavetank {

/// The end of a range that goes to the end of its dimension.
inline constexpr std::int64_t to_end = INT64_MAX;

/// first, first + step, ... before last, of one dimension. Negative numbers count from its end.
struct range {
  std::int64_t first = 0;
  std::int64_t last = to_end;
  std::int64_t step = 1;
};

/// A whole dimension, as std::full_extent of std::submdspan.
inline constexpr range full_extent{};

namespace detail {

/// What a slice makes of one dimension.
struct slicing {
  std::int64_t first, count, step;
};

inline slicing slice_dimension(const range& r, std::int64_t extent) {
  const std::int64_t first = r.first < 0 ? r.first + extent : r.first;
  const std::int64_t last = r.last == to_end ? extent : r.last < 0 ? r.last + extent : r.last;
  if (r.step < 1 || first < 0 || first > last || last > extent)
    throw shape_error("the range " + std::to_string(r.first) + " to " +
                      (r.last == to_end ? "the end" : std::to_string(r.last)) + " by " +
                      std::to_string(r.step) + " is not one of a dimension of " +
                      std::to_string(extent) + " elements");
  return {first, (last - first + r.step - 1) / r.step, r.step};
}
inline slicing slice_dimension(std::int64_t index, std::int64_t extent) {
  const std::int64_t at = index < 0 ? index + extent : index;
  if (at < 0 || at >= extent)
    throw shape_error("the index " + std::to_string(index) + " is outside of a dimension of " +
                      std::to_string(extent) + " elements");
  return {at, 1, 1};
}

}  // namespace detail

/// The part of `a` that the arguments name, one for each dimension: a range keeps its dimension, an
/// index drops it. `slice(m, full_extent, 3)` is column 3.
template <class T, int Rank, class... Part>
  requires(sizeof...(Part) == Rank)
auto slice(const view<T, Rank>& a, const Part&... parts) {
  constexpr int kept = (0 + ... + !std::is_integral_v<Part>);
  static_assert(kept > 0, "all indices: that is one element, a(i, ...)");
  constexpr bool keeps[] = {!std::is_integral_v<Part>...};
  int d = 0;
  const detail::slicing cuts[] = {detail::slice_dimension(parts, a.extent(d++))...};
  extents<kept> shape;
  std::array<std::int64_t, kept> strides{};
  std::int64_t offset = 0;
  for (int from = 0, to = 0; from < Rank; ++from) {
    offset += cuts[from].first * a.strides()[from];
    if (!keeps[from]) continue;
    shape[to] = cuts[from].count;
    strides[to++] = cuts[from].step * a.strides()[from];
  }
  return view<T, kept>(a.memory(), a.data() + offset, shape, strides);
}

/// A row of a matrix.
template <class T>
view<T, 1> row(const view<T, 2>& a, std::int64_t index) {
  return slice(a, index, full_extent);
}
/// A column of a matrix.
template <class T>
view<T, 1> column(const view<T, 2>& a, std::int64_t index) {
  return slice(a, full_extent, index);
}

/// `a` with its dimensions in reverse order: the transpose of a matrix.
template <class T, int Rank>
view<T, Rank> transpose(const view<T, Rank>& a) {
  extents<Rank> shape;
  std::array<std::int64_t, Rank> strides{};
  for (int d = 0; d < Rank; ++d) {
    shape[d] = a.extent(Rank - 1 - d);
    strides[d] = a.strides()[Rank - 1 - d];
  }
  return {a.memory(), a.data(), shape, strides};
}

/// `a` with a dimension from its end to its start.
template <class T, int Rank>
view<T, Rank> reverse(const view<T, Rank>& a, int dimension = Rank - 1) {
  auto strides = a.strides();
  const std::int64_t last = std::max<std::int64_t>(a.extent(dimension) - 1, 0);
  T* const first = a.data() + last * strides[dimension];
  strides[dimension] = -strides[dimension];
  return {a.memory(), first, a.shape(), strides};
}

/// The elements of `a`, in row-major order, in another shape of as many. Throws shape_error if `a`
/// has gaps: then only a copy has other shapes (`reshape(evaluate(a), ...)`).
template <class T, int Rank, int To>
view<T, To> reshape(const view<T, Rank>& a, const extents<To>& shape) {
  detail::require_extents(shape);
  if (shape.count() != a.size())
    throw shape_error("an array of shape " + to_string(a.shape()) + " cannot become one of " +
                      to_string(shape) + ": it has " + std::to_string(a.size()) +
                      " elements, not " + std::to_string(shape.count()));
  if (!a.is_contiguous())
    throw shape_error("a view of shape " + to_string(a.shape()) +
                      " with gaps has no other shapes: reshape(evaluate(view), shape) copies it");
  return {a.memory(), a.data(), shape, shape.strides()};
}
/// The elements of `a` as one dimension; as for reshape.
template <class T, int Rank>
view<T, 1> flatten(const view<T, Rank>& a) {
  return reshape(a, extents{a.size()});
}

}  // namespace wavetank
