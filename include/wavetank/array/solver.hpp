// Factorisations and systems of equations by rocSOLVER: `lu(a)`, `qr(a)`, `solve(a, b)`, of float
// or double.
#pragma once

#if !__has_include(<rocsolver/rocsolver.h>)
#error "wavetank/array/solver.hpp needs rocSOLVER: install librocsolver-dev, link with -lrocsolver"
#endif
#include <rocsolver/rocsolver.h>

#include "blas_handle.hpp"
#include "create.hpp"
#include "map.hpp"
#include "operators.hpp"
#include "slice.hpp"

namespace wavetank {
namespace detail {

template <class T>
struct solver_functions;
template <>
struct solver_functions<float> {
  static constexpr auto getrf = rocsolver_sgetrf;
  static constexpr auto getrs = rocsolver_sgetrs;
  static constexpr auto geqrf = rocsolver_sgeqrf;
  static constexpr auto orgqr = rocsolver_sorgqr;
};
template <>
struct solver_functions<double> {
  static constexpr auto getrf = rocsolver_dgetrf;
  static constexpr auto getrs = rocsolver_dgetrs;
  static constexpr auto geqrf = rocsolver_dgeqrf;
  static constexpr auto orgqr = rocsolver_dorgqr;
};

inline void solver_check(rocblas_status status, const char* call) {
  library_check("rocSOLVER", status, call);
}

}  // namespace detail

/// L and U of a matrix whose rows were exchanged: in one matrix, L below the diagonal with ones on
/// it.
template <class T>
struct lu_factors {
  array<T, 2> by_columns;  ///< the transpose of that matrix, as rocSOLVER has it
  array<int> exchanged;    ///< row i was exchanged with row exchanged[i] - 1, for i = 0, 1, ...
  bool singular = false;   ///< a diagonal element of U is zero
  /// L and U in one matrix.
  view<T, 2> factors() const { return transpose(by_columns); }
};

/// Factorises a square matrix with exchange of rows.
template <class T>
lu_factors<T> lu(const view<T, 2>& a) {
  if (a.extent(0) != a.extent(1))
    throw shape_error("lu takes a square matrix, not one of shape " + to_string(a.shape()));
  const int n = static_cast<int>(a.extent(0));
  lu_factors<T> result{array<T, 2>(transpose(a)), array<int>(extents{n})};
  const detail::storage info(sizeof(int));
  if (n == 0) return result;
  detail::solver_check(
      detail::solver_functions<T>::getrf(detail::blas_handle(), n, n, result.by_columns.data(), n,
                                         result.exchanged.data(), static_cast<int*>(info.data())),
      "factorising a matrix");
  result.singular = detail::fetch<int>(info) != 0;
  return result;
}

/// x with a x = b, for a square matrix and a vector.
template <class T>
array<T, 1> solve(const view<T, 2>& a, const view<T, 1>& b) {
  const lu_factors<T> factors = lu(a);
  if (a.extent(0) != b.size())
    throw shape_error("a system of shape " + to_string(a.shape()) + " with a right side of " +
                      to_string(b.shape()) + ": their rows differ");
  if (factors.singular) throw array_error("the matrix of the system is singular");
  array<T, 1> x(b);
  const int n = static_cast<int>(b.size());
  if (n == 0) return x;
  detail::solver_check(
      detail::solver_functions<T>::getrs(detail::blas_handle(), rocblas_operation_none, n, 1,
                                         const_cast<T*>(factors.by_columns.data()), n,
                                         factors.exchanged.data(), x.data(), n),
      "solving a system");
  return x;
}

/// a = q r: the columns of q are orthonormal, r is zero below its diagonal.
template <class T>
struct qr_factors {
  array<T, 2> q, r;
};

/// Factorises a matrix that has at least as many rows as columns.
template <class T>
qr_factors<T> qr(const view<T, 2>& a) {
  const int m = static_cast<int>(a.extent(0)), n = static_cast<int>(a.extent(1));
  if (m < n)
    throw shape_error("qr takes a matrix with at least as many rows as columns, not one of shape " +
                      to_string(a.shape()));
  array<T, 2> columns(transpose(a));  // by columns, as rocSOLVER counts
  if (n == 0) return {array<T, 2>(a), array<T, 2>(extents{0, 0})};
  const array<T> scales(extents{n});
  using functions = detail::solver_functions<T>;
  detail::solver_check(
      functions::geqrf(detail::blas_handle(), m, n, columns.data(), m, scales.data()),
      "factorising a matrix");
  const array<int> places = iota<int>(n);
  const view<int, 2> rows = reshape(places, extents{n, 1});
  const view<T, 2> top = slice(transpose(columns), range{0, n}, full_extent);
  array<T, 2> r(select(rows <= places, top, T(0)));
  detail::solver_check(
      functions::orgqr(detail::blas_handle(), m, n, n, columns.data(), m, scales.data()),
      "making the orthonormal columns of a matrix");
  return {array<T, 2>(transpose(columns)), std::move(r)};
}

}  // namespace wavetank
