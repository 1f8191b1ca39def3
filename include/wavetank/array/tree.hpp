// Expressions as a kernel sees them: trees of operations, whose leaves load elements of arrays.
#pragma once

#include <algorithm>
#include <utility>

#include "position.hpp"

namespace wavetank::detail {

/// How the arrays of an expression lie, as an argument of lower(): all side by side in one shape,
/// so that a place is one number and a kernel needs no strides; or anyhow.
struct side_by_side_t {};
struct anyhow_t {};
inline constexpr side_by_side_t side_by_side;
inline constexpr anyhow_t anyhow;

/// Neighbouring values that one work-item computes together.
template <class T, int Count>
struct batch {
  T at[Count];
};

/// Loads neighbours of which the first lies at a multiple of their size: one access for numbers.
template <int Count, class T>
__device__ batch<T, Count> load_batch(const T* from) {
  if constexpr (Count > 1 && std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    using Vector = T __attribute__((ext_vector_type(Count)));
    return __builtin_bit_cast(batch<T, Count>, *reinterpret_cast<const Vector*>(from));
  } else {
    batch<T, Count> result;
    for (int k = 0; k < Count; ++k) result.at[k] = from[k];
    return result;
  }
}

/// The counterpart of load_batch.
template <class T, int Count>
__device__ void store_batch(T* to, const batch<T, Count>& values) {
  if constexpr (Count > 1 && std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    using Vector = T __attribute__((ext_vector_type(Count)));
    *reinterpret_cast<Vector*>(to) = __builtin_bit_cast(Vector, values);
  } else {
    for (int k = 0; k < Count; ++k) to[k] = values.at[k];
  }
}

/// An array without gaps as a kernel sees it.
template <class T>
struct neighbours {
  static constexpr std::size_t widest = sizeof(T);
  static constexpr int loads = 1;
  const T* data;

  __device__ T at(linear_position p) const { return *element_at(data, p); }
  template <int Count>
  __device__ batch<T, Count> batch_at(linear_position p) const {
    return load_batch<Count>(element_at(data, p));
  }
};

/// An array as a kernel sees it: strides are in elements, and 0 where a dimension stretches.
template <class T, int Rank>
struct leaf : neighbours<T> {
  std::int64_t strides[Rank];

  using neighbours<T>::at;
  template <int Whole, class Index>
  __device__ T at(const position<Whole, Index>& p) const {
    Index offset = 0;
    for (int d = 0; d < Rank; ++d)
      offset += p.at[Whole - Rank + d] * static_cast<Index>(strides[d]);
    return this->data[offset];
  }
};

/// A batch of values that are computed one by one.
template <int Count, class Tree>
__device__ auto each_of_batch(const Tree& tree, linear_position p) {
  batch<decltype(tree.at(p)), Count> result;
  for (std::uint32_t k = 0; k < Count; ++k)
    result.at[k] = tree.at(linear_position{p.base, p.lane + k});
  return result;
}

template <std::size_t N, class Kid>
struct kid_slot {
  Kid kid;
};

/// An operation and its operands in a kernel.
template <class Op, class Numbers, class... Kids>
struct device_node;
template <class Op, std::size_t... N, class... Kids>
struct device_node<Op, std::index_sequence<N...>, Kids...> : kid_slot<N, Kids>... {
  static constexpr std::size_t widest = std::max({Kids::widest...});  // bytes of an element
  static constexpr int loads = (0 + ... + Kids::loads);
  Op op;

  __host__ device_node(const Op& operation, const Kids&... kids)
      : kid_slot<N, Kids>{kids}..., op(operation) {}
  template <class Position>
  __device__ auto at(const Position& p) const {
    return op(static_cast<const kid_slot<N, Kids>&>(*this).kid.at(p)...);
  }
  template <int Count>
  __device__ auto batch_at(linear_position p) const {
    return apply<Count>(
        static_cast<const kid_slot<N, Kids>&>(*this).kid.template batch_at<Count>(p)...);
  }

 private:
  template <int Count, class... Batch>
  __device__ auto apply(const Batch&... operands) const {
    batch<decltype(op(operands.at[0]...)), Count> result;
    for (int k = 0; k < Count; ++k) result.at[k] = op(operands.at[k]...);
    return result;
  }
};

}  // namespace wavetank::detail
