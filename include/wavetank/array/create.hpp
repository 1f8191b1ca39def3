// Arrays that are made on the device: ones, zeros, full, iota, similar.
#pragma once

#include "array.hpp"

namespace wavetank {
namespace detail {
/// start, start + step, ...: an expression without memory.
template <class T>
struct sequence {
  using wavetank_expression = void;
  using value_type = T;
  static constexpr int rank = 1;
  static constexpr std::size_t widest = sizeof(T);
  static constexpr int loads = 0;
  std::int64_t count;
  T start, step;

  extents<1> shape() const { return {count}; }
  sequence as_operand() const { return *this; }
  template <class Layout>
  sequence lower(Layout) const {
    return *this;
  }
  template <class F>
  void for_each_leaf(F&&) const {}
  __device__ T at(linear_position p) const {
    return static_cast<T>(start + static_cast<T>(p.base + p.lane) * step);
  }
  template <int Count>
  __device__ batch<T, Count> batch_at(linear_position p) const {
    return each_of_batch<Count>(*this, p);
  }
  template <int Whole, class Index>
  __device__ T at(const position<Whole, Index>& p) const {
    return static_cast<T>(start + static_cast<T>(p.at[Whole - 1]) * step);
  }
};
}  // namespace detail

/// An array of `shape` whose elements nobody has set.
template <class T, int Rank>
array<T, Rank> empty(const extents<Rank>& shape) {
  return array<T, Rank>(shape);
}
/// An array of `shape` full of `value`.
template <class T, int Rank>
array<T, Rank> full(const extents<Rank>& shape, T value) {
  array<T, Rank> result(shape);
  result.fill(value);
  return result;
}
template <class T, int Rank>
array<T, Rank> zeros(const extents<Rank>& shape) {
  return full(shape, T(0));
}
template <class T, int Rank>
array<T, Rank> ones(const extents<Rank>& shape) {
  return full(shape, T(1));
}
/// The same with the extents written out: `ones<float>(10, 20)`.
template <class T, std::integral... Extent>
auto empty(Extent... each) {
  return empty<T>(extents{each...});
}
template <class T, std::integral... Extent>
auto zeros(Extent... each) {
  return zeros<T>(extents{each...});
}
template <class T, std::integral... Extent>
auto ones(Extent... each) {
  return ones<T>(extents{each...});
}
/// start, start + step, ... : `count` elements.
template <class T>
array<T, 1> iota(std::int64_t count, T start = T(0), T step = T(1)) {
  return array<T, 1>(detail::sequence<T>{count, start, step});
}
/// An array of the shape and the elements' type of `a`, whose elements nobody has set.
template <expression A>
auto similar(const A& a) {
  return array<value_type_of<A>, A::rank>(a.shape());
}
/// The same with elements of another type: `similar<double>(a)`.
template <class T, expression A>
auto similar(const A& a) {
  return array<T, A::rank>(a.shape());
}

}  // namespace wavetank
