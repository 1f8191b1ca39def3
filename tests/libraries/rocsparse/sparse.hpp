// Sparse matrices on the host and what rocSPARSE needs to be called with them.
#pragma once

#include <rocsparse/rocsparse.h>

#include <complex>

#include "judge.hpp"

// Ends the program with a message when a rocSPARSE call fails.
#define ROCSPARSE_CHECK(call)                                                            \
  do {                                                                                   \
    const rocsparse_status status = (call);                                              \
    if (status != rocsparse_status_success) {                                            \
      std::fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status); \
      std::exit(2);                                                                      \
    }                                                                                    \
  } while (false)

// `name<T>` is the library's function of that name for float, double and their complex numbers.
#define ROCSPARSE_TYPED_REAL(name)                       \
  template <typename T>                                  \
  inline constexpr auto name = nullptr;                  \
  template <>                                            \
  inline constexpr auto name<float> = rocsparse_s##name; \
  template <>                                            \
  inline constexpr auto name<double> = rocsparse_d##name
#define ROCSPARSE_TYPED(name)                                              \
  ROCSPARSE_TYPED_REAL(name);                                              \
  template <>                                                              \
  inline constexpr auto name<rocsparse_float_complex> = rocsparse_c##name; \
  template <>                                                              \
  inline constexpr auto name<rocsparse_double_complex> = rocsparse_z##name

namespace sparse {

using example::DeviceArray;
using Indices = std::vector<int>;

template <typename T>
inline constexpr bool kComplex = !std::is_floating_point_v<T>;

template <typename T>
const char* type_name() {
  if (!kComplex<T>) return libraries::type_name<T>();
  return sizeof(T) == sizeof(rocsparse_float_complex) ? "complex float" : "complex double";
}

// A small integer (complex: two), never 0: sums of products stay exact.
template <typename T>
T small(libraries::Words& words) {
  const auto part = [&] {
    const int value = static_cast<int>((words() >> 30) % 8) - 4;
    return static_cast<double>(value + (value >= 0 ? 1 : 0));
  };
  if constexpr (kComplex<T>) {
    const double real = part();
    return T(static_cast<decltype(std::real(T()))>(real),
             static_cast<decltype(std::real(T()))>(part()));
  } else {
    return static_cast<T>(part());
  }
}

template <typename T>
std::vector<T> small_vector(size_t count, uint64_t seed) {
  libraries::Words words(seed);
  std::vector<T> values(count);
  for (T& value : values) value = small<T>(words);
  return values;
}

// A matrix of m rows and n columns, kept by rows (CSR); `base` is the number of the first row.
template <typename T>
struct Csr {
  int m = 0;
  int n = 0;
  int base = 0;
  Indices row_ptr;
  Indices col_ind;
  std::vector<T> val;

  int nnz() const { return static_cast<int>(col_ind.size()); }
  // Calls `visit(row, column, value)` for each entry, counted from 0.
  template <typename Visit>
  void each(Visit visit) const {
    for (int i = 0; i < m; ++i) {
      for (int k = row_ptr[i] - base; k < row_ptr[i + 1] - base; ++k) {
        visit(i, col_ind[k] - base, val[k]);
      }
    }
  }
  // The dense matrix, by columns.
  std::vector<T> dense() const {
    std::vector<T> all(static_cast<size_t>(m) * n, T(0));
    each([&](int i, int j, T value) { all[static_cast<size_t>(j) * m + i] = value; });
    return all;
  }
};

// A random matrix of about `per_row` entries a row, a few rows empty and one row long.
template <typename T>
Csr<T> random_matrix(int m, int n, int per_row, int base, uint64_t seed) {
  libraries::Words words(seed);
  Csr<T> matrix{m, n, base, {base}, {}, {}};
  for (int i = 0; i < m; ++i) {
    const bool empty = i % 11 == 5;
    const int chance = i == m / 2 ? n : per_row;
    for (int j = 0; j < n && !empty; ++j) {
      if (static_cast<int>((words() >> 20) % static_cast<uint64_t>(n)) >= chance) continue;
      matrix.col_ind.push_back(j + base);
      matrix.val.push_back(small<T>(words));
    }
    matrix.row_ptr.push_back(matrix.nnz() + base);
  }
  return matrix;
}

// A CSR matrix on the device.
template <typename T>
struct DeviceCsr {
  explicit DeviceCsr(const Csr<T>& host)
      : row_ptr(host.row_ptr), col_ind(host.col_ind), val(host.val) {}
  DeviceArray<int> row_ptr;
  DeviceArray<int> col_ind;
  DeviceArray<T> val;
};

// The library's handle.
class Handle {
 public:
  Handle() { ROCSPARSE_CHECK(rocsparse_create_handle(&handle_)); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { (void)rocsparse_destroy_handle(handle_); }
  operator rocsparse_handle() const { return handle_; }

 private:
  rocsparse_handle handle_ = nullptr;
};

// The library's description of a matrix: what it numbers from.
class Description {
 public:
  explicit Description(int base = 0) {
    ROCSPARSE_CHECK(rocsparse_create_mat_descr(&description_));
    ROCSPARSE_CHECK(rocsparse_set_mat_index_base(description_, index_base(base)));
  }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;
  ~Description() { (void)rocsparse_destroy_mat_descr(description_); }
  operator rocsparse_mat_descr() const { return description_; }
  static rocsparse_index_base index_base(int base) {
    return base == 0 ? rocsparse_index_base_zero : rocsparse_index_base_one;
  }

 private:
  rocsparse_mat_descr description_ = nullptr;
};

// What an analysis step found out about a matrix.
class Info {
 public:
  Info() { ROCSPARSE_CHECK(rocsparse_create_mat_info(&info_)); }
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;
  ~Info() { (void)rocsparse_destroy_mat_info(info_); }
  operator rocsparse_mat_info() const { return info_; }

 private:
  rocsparse_mat_info info_ = nullptr;
};

// alpha op(A) x + beta y on the host.
template <typename T>
std::vector<T> product(const Csr<T>& a, rocsparse_operation op, T alpha, const std::vector<T>& x,
                       T beta, std::vector<T> y) {
  std::vector<T> sum(y.size(), T(0));
  a.each([&](int i, int j, T value) {
    if constexpr (kComplex<T>) {
      if (op == rocsparse_operation_conjugate_transpose) value = std::conj(value);
    }
    if (op == rocsparse_operation_none) {
      sum[i] += value * x[j];
    } else {
      sum[j] += value * x[i];
    }
  });
  for (size_t i = 0; i < y.size(); ++i) y[i] = alpha * sum[i] + beta * y[i];
  return y;
}

}  // namespace sparse
