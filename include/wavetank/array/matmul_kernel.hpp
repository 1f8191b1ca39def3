// The matrix product without rocBLAS: tiles of 64 x 64 in the LDS, multiplied by the matrix cores
// where the target has some for the type, otherwise by the vector unit.
#pragma once

#include "device_view.hpp"

namespace wavetank::detail {

inline constexpr int kTile = 64;       // rows and columns of C of a workgroup of 256 work-items
inline constexpr int kTileDepth = 16;  // columns of A and rows of B that are in the LDS at once

#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
#define WAVETANK_MATRIX_CORES 1
#endif

/// How a wave of 64 multiplies 16 x 4 by 4 x 16: lane l holds A[l % 16][l / 16] and B[l / 16][l %
/// 16]. Which rows the four sums of a lane have is the layout of the instruction (CDNA 2 and 3 ISA,
/// MFMA).
template <class T>
struct matrix_core {
  static constexpr bool exists = false;
};
#ifdef WAVETANK_MATRIX_CORES
template <class T>
  requires(std::is_same_v<T, float> || std::is_same_v<T, double>)
struct matrix_core<T> {
  static constexpr bool exists = true;
  using sums = T __attribute__((ext_vector_type(4)));
  __device__ static sums multiply(T a, T b, sums c) {
    if constexpr (std::is_same_v<T, float>)
      return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0);
    else
      return __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, 0, 0, 0);
  }
  __device__ static int row(int lane, int n) {
    return std::is_same_v<T, float> ? 4 * (lane / 16) + n : 4 * n + lane / 16;
  }
};
#endif

/// The pieces of A and B that a workgroup has in the LDS.
template <class T>
struct matrix_tiles {
  T a[kTile][kTileDepth + 1];  // one more, so that a column is spread over the banks
  T b[kTileDepth][kTile + 1];

  __device__ void load(const device_view<T, 2>& from_a, const device_view<T, 2>& from_b,
                       std::int64_t row, std::int64_t column, std::int64_t k) {
    for (int n = threadIdx.x; n < kTile * kTileDepth; n += blockDim.x) {
      const int i = n / kTileDepth, ka = n % kTileDepth;
      const bool in_a = row + i < from_a.extent(0) && k + ka < from_a.extent(1);
      a[i][ka] = in_a ? from_a(row + i, k + ka) : T(0);
      const int kb = n / kTile, j = n % kTile;
      const bool in_b = k + kb < from_b.extent(0) && column + j < from_b.extent(1);
      b[kb][j] = in_b ? from_b(k + kb, column + j) : T(0);
    }
  }
};

/// Each of four waves has a quarter of the tile, 32 x 32, as four blocks of 16 x 16.
template <class T>
struct matrix_core_sums {
  typename matrix_core<T>::sums block[2][2] = {};

  __device__ void add(const matrix_tiles<T>& tiles) {
    const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
    const int row = wave / 2 * 32 + lane % 16, column = wave % 2 * 32 + lane % 16;
    for (int k = lane / 16; k < kTileDepth; k += 4)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          block[i][j] = matrix_core<T>::multiply(tiles.a[row + 16 * i][k],
                                                 tiles.b[k][column + 16 * j], block[i][j]);
  }
  template <class Store>
  __device__ void store(Store&& to) const {
    const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        for (int n = 0; n < 4; ++n)
          to(wave / 2 * 32 + 16 * i + matrix_core<T>::row(lane, n),
             wave % 2 * 32 + 16 * j + lane % 16, block[i][j][n]);
  }
};

/// Each work-item has 4 x 4 elements, 16 rows and columns apart.
template <class T>
struct vector_sums {
  T sum[4][4] = {};

  __device__ void add(const matrix_tiles<T>& tiles) {
    const int row = threadIdx.x / 16, column = threadIdx.x % 16;
    for (int k = 0; k < kTileDepth; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] += tiles.a[row + 16 * i][k] * tiles.b[k][column + 16 * j];
  }
  template <class Store>
  __device__ void store(Store&& to) const {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        to(threadIdx.x / 16 + 16 * i, threadIdx.x % 16 + 16 * j, sum[i][j]);
  }
};

/// C = A B; a workgroup of 256 work-items for each tile of C, along x and y.
template <class T>
__global__ void __launch_bounds__(256)
    multiply_tiles(device_view<T, 2> c, device_view<T, 2> a, device_view<T, 2> b) {
  __shared__ matrix_tiles<T> tiles;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * kTile;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kTile;
#ifdef __HIP_DEVICE_COMPILE__
  std::conditional_t<matrix_core<T>::exists, matrix_core_sums<T>, vector_sums<T>> sums;
#else
  vector_sums<T> sums;
#endif
  for (std::int64_t k = 0; k < a.extent(1); k += kTileDepth) {
    tiles.load(a, b, row, column, k);
    __syncthreads();
    sums.add(tiles);
    __syncthreads();
  }
  sums.store([&](int i, int j, T value) {
    if (row + i < c.extent(0) && column + j < c.extent(1)) c(row + i, column + j) = value;
  });
}

#undef WAVETANK_MATRIX_CORES

}  // namespace wavetank::detail
