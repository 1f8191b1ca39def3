// Matrix products: by rocBLAS where its headers are installed (link with -lrocblas), otherwise, or
// with WAVETANK_ARRAY_WITHOUT_ROCBLAS defined, by a kernel of our own.
#pragma once

#include "array.hpp"
#include "matmul_kernel.hpp"
#include "slice.hpp"

#if __has_include(<rocblas/rocblas.h>) && !defined(WAVETANK_ARRAY_WITHOUT_ROCBLAS)
#define WAVETANK_ARRAY_ROCBLAS 1
#include "blas_handle.hpp"
#endif

namespace wavetank {
namespace detail {

#ifdef WAVETANK_ARRAY_ROCBLAS
/// What rocBLAS, which counts by columns, makes of a row-major matrix: its transpose, if its rows
/// have no gaps inside; and the matrix itself if its columns have none.
template <class T>
struct blas_operand {
  rocblas_operation operation;
  int leading;
  bool usable;
  explicit blas_operand(const view<T, 2>& a) {
    const bool rows = a.strides()[1] == 1 || a.extent(1) == 1;
    operation = rows ? rocblas_operation_none : rocblas_operation_transpose;
    leading = static_cast<int>(
        std::max<std::int64_t>({a.strides()[rows ? 0 : 1], a.extent(rows ? 1 : 0), 1}));
    usable = (rows || a.strides()[0] == 1) && a.strides()[0] >= 0 && a.strides()[1] >= 0;
  }
};

/// c = a b, as the transposed product of columns: one call of rocBLAS.
template <class T>
void multiply_by_rocblas(const view<T, 2>& c, const view<T, 2>& a, const view<T, 2>& b) {
  const blas_operand<T> of_a(a), of_b(b);
  if (!of_a.usable) return multiply_by_rocblas(c, view<T, 2>(array<T, 2>(a)), b);
  if (!of_b.usable) return multiply_by_rocblas(c, a, view<T, 2>(array<T, 2>(b)));
  const T one(1), zero(0);
  const int m = c.extent(0), n = c.extent(1), k = a.extent(1);
  const auto gemm = [&](auto function) {
    library_check("rocBLAS",
                  function(blas_handle(), of_b.operation, of_a.operation, n, m, k, &one, b.data(),
                           of_b.leading, a.data(), of_a.leading, &zero, c.data(), n),
                  "multiplying matrices");
  };
  if constexpr (std::is_same_v<T, float>)
    gemm(rocblas_sgemm);
  else
    gemm(rocblas_dgemm);
}
template <class T>
inline constexpr bool kByRocblas = std::is_same_v<T, float> || std::is_same_v<T, double>;
#else
template <class T>
inline constexpr bool kByRocblas = false;
template <class T>
void multiply_by_rocblas(const view<T, 2>&, const view<T, 2>&, const view<T, 2>&);
#endif

template <class T>
void multiply_by_own_kernel(const view<T, 2>& c, const view<T, 2>& a, const view<T, 2>& b) {
  const auto tiles = [](std::int64_t count) {
    return static_cast<unsigned int>((count + kTile - 1) / kTile);
  };
  multiply_tiles<T><<<dim3(tiles(c.extent(1)), tiles(c.extent(0))), 256, 0, current_stream()>>>(
      device_view<T, 2>(c), device_view<T, 2>(a), device_view<T, 2>(b));
  check(hipGetLastError(), "launching a matrix product");
}

/// c = a b.
template <class T>
void multiply_matrices(const view<T, 2>& c, const view<T, 2>& a, const view<T, 2>& b) {
  if (a.extent(1) != b.extent(0))
    throw shape_error("a matrix of shape " + to_string(a.shape()) + " times one of " +
                      to_string(b.shape()) +
                      ": the columns of the first are not the rows of the second");
  if (c.size() == 0) return;
  if constexpr (kByRocblas<T>)
    multiply_by_rocblas(c, a, b);
  else
    multiply_by_own_kernel(c, a, b);
}

}  // namespace detail

/// The product of two matrices: one launch, or what rocBLAS makes of one call. Transposed and
/// sliced views are taken as they are.
template <class T>
array<T, 2> matmul(const view<T, 2>& a, const view<T, 2>& b) {
  array<T, 2> c(extents{a.extent(0), b.extent(1)});
  detail::multiply_matrices<T>(c, a, b);
  return c;
}

/// A matrix times a vector.
template <class T>
array<T, 1> matmul(const view<T, 2>& a, const view<T, 1>& x) {
  array<T, 1> y(extents{a.extent(0)});
  const view<T, 2> column(x.memory(), x.data(), extents{x.size(), 1}, {x.strides()[0], 1});
  detail::multiply_matrices(view<T, 2>(y.memory(), y.data(), extents{y.size(), 1}, {1, 1}), a,
                            column);
  return y;
}

}  // namespace wavetank
