// Arrays inside of kernels: elements by coordinates, extents, and a check of bounds that kernels
// pay for only where it is asked for: function objects under `wavetank check` (launch.hpp),
// __global__ functions, which are compiled once, with WAVETANK_ARRAY_CHECK_BOUNDS defined.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>

#include "view.hpp"

namespace wavetank {
namespace detail {

#ifdef WAVETANK_ARRAY_CHECK_BOUNDS
inline constexpr bool kChecksBounds = true;
#else
inline constexpr bool kChecksBounds = false;
#endif

/// Says on the device which element of which shape was asked for, once for a wave, and ends the
/// kernel.
template <int Rank>
__device__ [[noreturn]] inline void end_outside(const std::int64_t (&at)[Rank],
                                                const extents<Rank>& shape) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int d = 0; d < Rank && lane == __builtin_amdgcn_readfirstlane(lane); ++d)
    if (at[d] < 0 || at[d] >= shape[d])
      printf("array access outside of dimension %d: index %lld, extent %lld\n", d,
             static_cast<long long>(at[d]), static_cast<long long>(shape[d]));
  __builtin_trap();
}

}  // namespace detail

/// An array in a kernel. With Checked, an index outside of the shape is named and ends the kernel;
/// without, an element costs the arithmetic of its strides.
template <class T, int Rank = 1, bool Checked = detail::kChecksBounds>
class device_view {
 public:
  using value_type = T;
  static constexpr int rank = Rank;

  device_view() = default;
  /// What a view of the host shows.
  __host__ device_view(const view<std::remove_const_t<T>, Rank>& from)
      : data_(from.data()), shape_(from.shape()) {
    for (int d = 0; d < Rank; ++d) strides_[d] = from.strides()[d];
  }

  /// The element at these coordinates.
  template <class... Index>
    requires(sizeof...(Index) == Rank)
  __device__ T& operator()(Index... index) const {
    const std::int64_t at[Rank] = {static_cast<std::int64_t>(index)...};
    if constexpr (Checked)
      for (int d = 0; d < Rank; ++d)
        if (at[d] < 0 || at[d] >= shape_[d]) detail::end_outside(at, shape_);
    std::int64_t offset = 0;
    for (int d = 0; d < Rank; ++d) offset += at[d] * strides_[d];
    return data_[offset];
  }
  template <class Index>
    requires(Rank == 1)
  __device__ T& operator[](Index index) const {
    return (*this)(index);
  }

  __host__ __device__ std::int64_t extent(int dimension) const { return shape_[dimension]; }
  __host__ __device__ std::int64_t size() const { return shape_.count(); }
  __host__ __device__ const extents<Rank>& shape() const { return shape_; }
  /// The first element.
  __host__ __device__ T* data() const { return data_; }

 private:
  T* data_;
  extents<Rank> shape_;
  std::int64_t strides_[Rank];
};

template <class T, int Rank>
device_view(const view<T, Rank>&) -> device_view<T, Rank>;

/// This work-item's number along x, y or z (0, 1, 2) in the whole grid.
__device__ inline std::int64_t grid_index(int axis = 0) {
  if (axis == 0) return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (axis == 1) return static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  return static_cast<std::int64_t>(blockIdx.z) * blockDim.z + threadIdx.z;
}

/// The elements below `count` that are this work-item's when the whole grid shares them along x:
/// `for (auto i : grid_stride(n))`. Right for every size of the grid.
class grid_stride {
 public:
  class iterator {
   public:
    __device__ iterator(std::int64_t at, std::int64_t step) : at_(at), step_(step) {}
    __device__ std::int64_t operator*() const { return at_; }
    __device__ iterator& operator++() {
      at_ += step_;
      return *this;
    }
    /// Whether there is something before `end`; the work-items do not meet it exactly.
    __device__ bool operator!=(const iterator& end) const { return at_ < end.at_; }

   private:
    std::int64_t at_, step_;
  };

  __device__ explicit grid_stride(std::int64_t count) : count_(count) {}
  __device__ iterator begin() const {
    return {grid_index(), static_cast<std::int64_t>(gridDim.x) * blockDim.x};
  }
  __device__ iterator end() const { return {count_, 0}; }

 private:
  std::int64_t count_;
};

/// printf from a kernel: what the work-items print appears on the host when the stream is waited
/// for.
template <class... Argument>
__device__ void device_printf(const char* format, Argument... arguments) {
  printf(format, arguments...);
}

}  // namespace wavetank
