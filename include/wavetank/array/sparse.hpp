// Sparse matrices by rocSPARSE: compressed rows, made of a dense matrix or of their three arrays,
// times a vector or a matrix. Elements are float or double.
#pragma once

#if !__has_include(<rocsparse/rocsparse.h>)
#error "wavetank/array/sparse.hpp needs rocSPARSE: install librocsparse-dev, link with -lrocsparse"
#endif
#include <rocsparse/rocsparse.h>

#include "array.hpp"
#include "library.hpp"
#include "slice.hpp"

namespace wavetank {
namespace detail {

inline void sparse_check(rocsparse_status status, const char* call) {
  library_check("rocSPARSE", status, call);
}
inline rocsparse_handle sparse_handle() {
  return library_handle<rocsparse_handle, rocsparse_create_handle, rocsparse_set_stream>(
      "rocSPARSE");
}
/// rocSPARSE's description of a general matrix whose indices start at 0.
inline rocsparse_mat_descr sparse_description() {
  static thread_local rocsparse_mat_descr description = [] {
    rocsparse_mat_descr made = nullptr;
    sparse_check(rocsparse_create_mat_descr(&made), "describing a sparse matrix");
    return made;
  }();
  return description;
}

/// rocSPARSE's functions by the type of the elements.
template <class T>
struct sparse_functions;
template <>
struct sparse_functions<float> {
  static constexpr auto csrmv = rocsparse_scsrmv;
  static constexpr auto csrmm = rocsparse_scsrmm;
  static constexpr auto nnz = rocsparse_snnz;
  static constexpr auto dense2csc = rocsparse_sdense2csc;
};
template <>
struct sparse_functions<double> {
  static constexpr auto csrmv = rocsparse_dcsrmv;
  static constexpr auto csrmm = rocsparse_dcsrmm;
  static constexpr auto nnz = rocsparse_dnnz;
  static constexpr auto dense2csc = rocsparse_ddense2csc;
};

}  // namespace detail

/// A matrix of which only some elements are stored, by rows.
template <class T>
class sparse_matrix {
 public:
  /// A matrix of `shape`: row i has values[row_starts[i]] to before values[row_starts[i + 1]], in
  /// the columns of the same places.
  sparse_matrix(const extents<2>& shape, array<int> row_starts, array<int> columns, array<T> values)
      : shape_(shape),
        row_starts_(std::move(row_starts)),
        columns_(std::move(columns)),
        values_(std::move(values)) {
    if (row_starts_.size() != shape[0] + 1 || columns_.size() != values_.size())
      throw shape_error("a sparse matrix of shape " + to_string(shape) + " has " +
                        std::to_string(shape[0] + 1) +
                        " starts of rows, and as many columns as "
                        "values; here are " +
                        std::to_string(row_starts_.size()) + ", " +
                        std::to_string(columns_.size()) + " and " + std::to_string(values_.size()));
  }
  /// The elements of `dense` that are not zero.
  explicit sparse_matrix(const array<T, 2>& dense)
      : shape_(dense.shape()), row_starts_(extents{dense.extent(0) + 1}) {
    // rocSPARSE counts by columns: to it, `dense` is its transpose.
    const int rows = dense.extent(0), columns = dense.extent(1);
    array<int> in_rows(extents{rows});
    int stored = 0;
    detail::sparse_check(functions::nnz(detail::sparse_handle(), rocsparse_direction_column,
                                        columns, rows, detail::sparse_description(), dense.data(),
                                        columns, in_rows.data(), &stored),
                         "counting the elements of a sparse matrix");
    synchronize();
    values_ = array<T>(extents{stored});
    columns_ = array<int>(extents{stored});
    detail::sparse_check(
        functions::dense2csc(detail::sparse_handle(), columns, rows, detail::sparse_description(),
                             dense.data(), columns, in_rows.data(), values_.data(),
                             row_starts_.data(), columns_.data()),
        "gathering the elements of a sparse matrix");
  }

  const extents<2>& shape() const { return shape_; }
  /// How many elements are stored.
  std::int64_t stored() const { return values_.size(); }
  const array<int>& row_starts() const { return row_starts_; }
  const array<int>& columns() const { return columns_; }
  const array<T>& values() const { return values_; }

  /// This matrix times a vector without gaps.
  array<T> operator*(const array<T>& x) const {
    require_rows(x.size(), to_string(x.shape()));
    array<T> y(extents{shape_[0]});
    const T one(1), zero(0);
    detail::sparse_check(
        functions::csrmv(detail::sparse_handle(), rocsparse_operation_none, shape_[0], shape_[1],
                         stored(), &one, detail::sparse_description(), values_.data(),
                         row_starts_.data(), columns_.data(), nullptr, x.data(), &zero, y.data()),
        "multiplying a sparse matrix by a vector");
    return y;
  }
  /// This matrix times a matrix without gaps.
  array<T, 2> operator*(const array<T, 2>& b) const {
    require_rows(b.extent(0), to_string(b.shape()));
    const int n = b.extent(1), m = shape_[0];
    array<T, 2> by_columns(extents{n, m});  // what rocSPARSE writes is the transpose of the product
    const T one(1), zero(0);
    detail::sparse_check(
        functions::csrmm(detail::sparse_handle(), rocsparse_operation_none,
                         rocsparse_operation_transpose, m, n, shape_[1], stored(), &one,
                         detail::sparse_description(), values_.data(), row_starts_.data(),
                         columns_.data(), b.data(), n, &zero, by_columns.data(), m),
        "multiplying a sparse matrix by a matrix");
    return array<T, 2>(transpose(by_columns));
  }

 private:
  using functions = detail::sparse_functions<T>;

  void require_rows(std::int64_t rows, const std::string& shape) const {
    if (rows != shape_[1])
      throw shape_error("a sparse matrix of shape " + to_string(shape_) + " times " + shape +
                        ": the columns of the first are not the rows of the second");
  }

  extents<2> shape_;
  array<int> row_starts_, columns_;
  array<T> values_;
};

}  // namespace wavetank
