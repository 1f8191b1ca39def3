// Where in an array a work-item works: as one number if everything lies side by side, otherwise as
// coordinates, which are found with 32-bit arithmetic where that suffices.
#pragma once

#include <cstdint>
#include <type_traits>

#include "extents.hpp"

namespace wavetank::detail {

/// A place in an array without gaps: a 64-bit part that a workgroup shares, so that it stays in
/// scalar registers, and a 32-bit part of the work-item.
struct linear_position {
  std::int64_t base;
  std::uint32_t lane;
};

/// The address of an element: a scalar base and a 32-bit offset in bytes, which is what the
/// device's loads and stores take, so that no work-item adds 64-bit numbers.
template <class T>
__device__ T* element_at(T* data, linear_position p) {
  using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
  return reinterpret_cast<T*>(reinterpret_cast<Byte*>(data + p.base) +
                              p.lane * static_cast<std::uint32_t>(sizeof(T)));
}

/// Coordinates; Index is std::int32_t or std::int64_t.
template <int Rank, class Index>
struct position {
  Index at[Rank];
};

/// Divides numbers below 2^31 by a divisor that the host knows: a multiplication, an addition and a
/// shift (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994).
class divider {
 public:
  divider() = default;
  explicit divider(std::uint32_t divisor) : divisor_(divisor) {
    while ((std::uint64_t{1} << shift_) < divisor) ++shift_;
    magic_ = static_cast<std::uint32_t>(
        ((std::uint64_t{1} << 32) * ((std::uint64_t{1} << shift_) - divisor)) / divisor + 1);
  }
  __host__ __device__ std::uint32_t quotient(std::uint32_t n) const {
    return (static_cast<std::uint32_t>(std::uint64_t{n} * magic_ >> 32) + n) >> shift_;
  }
  __host__ __device__ std::uint32_t divisor() const { return divisor_; }

 private:
  std::uint32_t magic_ = 0, shift_ = 0, divisor_ = 1;
};

/// Finds the coordinates of the n-th element of a shape.
template <int Rank, class Index>
class unraveller;

template <int Rank>
class unraveller<Rank, std::int32_t> {
 public:
  unraveller() = default;
  explicit unraveller(const extents<Rank>& shape) {
    for (int d = 1; d < Rank; ++d) extent_[d] = divider(static_cast<std::uint32_t>(shape[d]));
  }
  __host__ __device__ position<Rank, std::int32_t> operator()(std::int64_t n) const {
    position<Rank, std::int32_t> result;
    std::uint32_t rest = static_cast<std::uint32_t>(n);
    for (int d = Rank - 1; d > 0; --d) {
      const std::uint32_t next = extent_[d].quotient(rest);
      result.at[d] = static_cast<std::int32_t>(rest - next * extent_[d].divisor());
      rest = next;
    }
    result.at[0] = static_cast<std::int32_t>(rest);
    return result;
  }

 private:
  divider extent_[Rank];
};

template <int Rank>
class unraveller<Rank, std::int64_t> {
 public:
  unraveller() = default;
  explicit unraveller(const extents<Rank>& shape) : shape_(shape) {}
  __host__ __device__ position<Rank, std::int64_t> operator()(std::int64_t n) const {
    position<Rank, std::int64_t> result;
    for (int d = Rank - 1; d > 0; --d) {
      result.at[d] = n % shape_[d];
      n /= shape_[d];
    }
    result.at[0] = n;
    return result;
  }

 private:
  extents<Rank> shape_;
};

}  // namespace wavetank::detail
