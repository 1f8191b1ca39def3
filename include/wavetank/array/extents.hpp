// The shape of an array: how many elements it has along each dimension, and NumPy's rules for
// shapes that meet. The last dimension is the one whose neighbours lie side by side (row-major).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

#include "error.hpp"

namespace wavetank {

/// How many elements an array has along each of its Rank dimensions: `extents{10, 20}`.
template <int Rank>
struct extents {
  std::array<std::int64_t, Rank> values{};

  constexpr extents() = default;
  template <std::integral... Extent>
    requires(sizeof...(Extent) == Rank && Rank > 0)
  constexpr extents(Extent... each) : values{static_cast<std::int64_t>(each)...} {}

  // Not values[dimension], whose check of libstdc++ 15 is a function of the host.
  constexpr std::int64_t operator[](int dimension) const { return values.data()[dimension]; }
  constexpr std::int64_t& operator[](int dimension) { return values.data()[dimension]; }
  constexpr bool operator==(const extents&) const = default;

  /// The number of elements.
  constexpr std::int64_t count() const {
    std::int64_t product = 1;
    for (int d = 0; d < Rank; ++d) product *= (*this)[d];
    return product;
  }

  /// The strides, in elements, of an array of this shape without gaps.
  constexpr std::array<std::int64_t, Rank> strides() const {
    std::array<std::int64_t, Rank> result{};
    std::int64_t step = 1;
    for (int d = Rank - 1; d >= 0; --d) {
      result[d] = step;
      step *= values[d];
    }
    return result;
  }
};

template <std::integral... Extent>
extents(Extent...) -> extents<static_cast<int>(sizeof...(Extent))>;

/// "[10, 20]", as messages show it.
template <int Rank>
std::string to_string(const extents<Rank>& shape) {
  std::string text = "[";
  for (int d = 0; d < Rank; ++d) text += (d ? ", " : "") + std::to_string(shape[d]);
  return text + "]";
}

namespace detail {

/// Throws unless every extent can be one.
template <int Rank>
void require_extents(const extents<Rank>& shape) {
  for (std::int64_t extent : shape.values)
    if (extent < 0) throw shape_error("a shape has a negative extent: " + to_string(shape));
}

/// Calls f with the coordinates of every element, in row-major order.
template <int Rank, class F>
void for_each_offset(const extents<Rank>& shape, F&& f) {
  extents<Rank> at;
  for (std::int64_t n = shape.count(); n > 0; --n) {
    f(at);
    for (int d = Rank - 1; d >= 0 && ++at[d] == shape[d]; --d) at[d] = 0;
  }
}

/// Joins `part` into `whole` by NumPy's rule: dimensions are matched from the last one, and one of
/// size 1 stretches. False if they do not fit.
template <int Whole, int Part>
constexpr bool join(extents<Whole>& whole, const extents<Part>& part) {
  static_assert(Part <= Whole);
  for (int d = 0; d < Part; ++d) {
    std::int64_t& extent = whole[Whole - Part + d];
    if (part[d] == extent || part[d] == 1) continue;
    if (extent != 1) return false;
    extent = part[d];
  }
  return true;
}

/// The shape that all `shapes` stretch to; throws shape_error that names all of them.
template <int Rank, class... Shapes>
extents<Rank> broadcast_shape(const Shapes&... shapes) {
  extents<Rank> whole;
  for (std::int64_t& extent : whole.values) extent = 1;
  if ((join(whole, shapes) && ...)) return whole;
  std::string text;
  ((text += (text.empty() ? "" : " and ") + to_string(shapes)), ...);
  throw shape_error(
      "the shapes " + text +
      " do not fit: dimensions are matched from the last one, and must be equal or 1");
}

}  // namespace detail
}  // namespace wavetank
