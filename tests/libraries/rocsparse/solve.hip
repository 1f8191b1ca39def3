// rocSPARSE's solvers: triangular systems of one and many right sides, incomplete factorisations,
// tridiagonal systems; against the host in double precision. Their kernels wait for one another.
#include "rocsparse/sparse.hpp"

using libraries::Judge;
using namespace sparse;

ROCSPARSE_TYPED_REAL(csrsv_buffer_size);
ROCSPARSE_TYPED_REAL(csrsv_analysis);
ROCSPARSE_TYPED_REAL(csrsv_solve);
ROCSPARSE_TYPED_REAL(csrsm_buffer_size);
ROCSPARSE_TYPED_REAL(csrsm_analysis);
ROCSPARSE_TYPED_REAL(csrsm_solve);
ROCSPARSE_TYPED_REAL(csrilu0_buffer_size);
ROCSPARSE_TYPED_REAL(csrilu0_analysis);
ROCSPARSE_TYPED_REAL(csrilu0);
ROCSPARSE_TYPED_REAL(csric0_buffer_size);
ROCSPARSE_TYPED_REAL(csric0_analysis);
ROCSPARSE_TYPED_REAL(csric0);
ROCSPARSE_TYPED_REAL(gtsv_buffer_size);
ROCSPARSE_TYPED_REAL(gtsv);
ROCSPARSE_TYPED_REAL(gtsv_no_pivot_buffer_size);
ROCSPARSE_TYPED_REAL(gtsv_no_pivot);

constexpr auto kNone = rocsparse_operation_none;
constexpr auto kTransposed = rocsparse_operation_transpose;
constexpr auto kAuto = rocsparse_solve_policy_auto;
constexpr auto kForce = rocsparse_analysis_policy_force;

template <typename T>
constexpr double kTolerance = sizeof(T) == 4 ? 2e-4 : 1e-12;

// A symmetric matrix with a strong diagonal: every solver is stable on it.
template <typename T>
Csr<T> strong_diagonal(int m, int per_row, int base) {
  const Csr<T> half = random_matrix<T>(m, m, per_row, 0, 21);
  std::vector<std::vector<double>> dense(static_cast<size_t>(m),
                                         std::vector<double>(static_cast<size_t>(m), 0));
  half.each([&](int i, int j, T value) {
    if (i == m / 2 || j == m / 2) return;
    dense[static_cast<size_t>(i)][static_cast<size_t>(j)] = value / 8.0;
    dense[static_cast<size_t>(j)][static_cast<size_t>(i)] = value / 8.0;
  });
  Csr<T> out{m, m, base, {base}, {}, {}};
  for (int i = 0; i < m; ++i) {
    auto& row = dense[static_cast<size_t>(i)];
    double sum = 1;
    for (const double value : row) sum += std::fabs(value);
    row[static_cast<size_t>(i)] = sum;
    for (int j = 0; j < m; ++j) {
      if (row[static_cast<size_t>(j)] == 0) continue;
      out.col_ind.push_back(j + base);
      out.val.push_back(static_cast<T>(row[static_cast<size_t>(j)]));
    }
    out.row_ptr.push_back(out.nnz() + base);
  }
  return out;
}

// One triangle of a matrix, dense: rows of columns, with ones on the diagonal if `unit`.
template <typename T>
std::vector<std::vector<double>> triangle(const Csr<T>& a, bool lower, bool unit, bool transposed) {
  std::vector<std::vector<double>> out(static_cast<size_t>(a.m),
                                       std::vector<double>(static_cast<size_t>(a.m), 0));
  a.each([&](int i, int j, T value) {
    if (i != j && (lower ? j > i : j < i)) return;
    const double entry = i == j && unit ? 1 : static_cast<double>(value);
    (transposed ? out[static_cast<size_t>(j)][static_cast<size_t>(i)]
                : out[static_cast<size_t>(i)][static_cast<size_t>(j)]) = entry;
  });
  return out;
}

// y with A y = x, A being a dense triangle.
std::vector<double> substitute(const std::vector<std::vector<double>>& a, bool lower,
                               std::vector<double> x) {
  const size_t m = x.size();
  for (size_t step = 0; step < m; ++step) {
    const size_t i = lower ? step : m - 1 - step;
    for (size_t j = lower ? 0 : i + 1; j < (lower ? i : m); ++j) x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
  return x;
}

void describe(const Description& descr, bool lower, bool unit) {
  ROCSPARSE_CHECK(rocsparse_set_mat_fill_mode(
      descr, lower ? rocsparse_fill_mode_lower : rocsparse_fill_mode_upper));
  ROCSPARSE_CHECK(rocsparse_set_mat_diag_type(
      descr, unit ? rocsparse_diag_type_unit : rocsparse_diag_type_non_unit));
}

template <typename T>
void vector_solve(Judge& judge, const Csr<T>& a, bool lower, bool unit, bool transposed) {
  const Handle handle;
  const Description descr(a.base);
  describe(descr, lower, unit);
  const Info info;
  const DeviceCsr<T> d(a);
  const auto op = transposed ? kTransposed : kNone;
  const std::vector<T> x = small_vector<T>(static_cast<size_t>(a.m), 22);
  const DeviceArray<T> in(x);
  DeviceArray<T> out(x.size());
  const T alpha = T(2);
  size_t bytes = 0;
  ROCSPARSE_CHECK(csrsv_buffer_size<T>(handle, op, a.m, a.nnz(), descr, d.val.data(),
                                       d.row_ptr.data(), d.col_ind.data(), info, &bytes));
  DeviceArray<char> buffer(bytes);
  const auto elements = static_cast<size_t>(a.nnz());
  judge.timed(std::string("csrsv_analysis ") + type_name<T>(), elements, [&] {
    ROCSPARSE_CHECK(csrsv_analysis<T>(handle, op, a.m, a.nnz(), descr, d.val.data(),
                                      d.row_ptr.data(), d.col_ind.data(), info, kForce, kAuto,
                                      buffer.data()));
  });
  judge.timed(std::string("csrsv_solve ") + type_name<T>(), elements, [&] {
    ROCSPARSE_CHECK(csrsv_solve<T>(handle, op, a.m, a.nnz(), &alpha, descr, d.val.data(),
                                   d.row_ptr.data(), d.col_ind.data(), info, in.data(), out.data(),
                                   kAuto, buffer.data()));
  });
  std::vector<double> right;
  for (const T value : x) right.push_back(2.0 * value);
  judge.close(
      out.read(), substitute(triangle(a, lower, unit, transposed), lower != transposed, right),
      kTolerance<T>,
      std::string("csrsv ") + type_name<T>() + (lower ? " lower" : " upper") +
          (unit ? " unit" : "") + (transposed ? " transposed " : " ") + std::to_string(a.m));
}

template <typename T>
void matrix_solve(Judge& judge, const Csr<T>& a, bool lower, int columns) {
  const Handle handle;
  const Description descr(a.base);
  describe(descr, lower, false);
  const Info info;
  const DeviceCsr<T> d(a);
  const std::vector<T> x = small_vector<T>(static_cast<size_t>(a.m) * columns, 23);
  DeviceArray<T> b(x);
  const T alpha = T(2);
  size_t bytes = 0;
  ROCSPARSE_CHECK(csrsm_buffer_size<T>(handle, kNone, kNone, a.m, columns, a.nnz(), &alpha, descr,
                                       d.val.data(), d.row_ptr.data(), d.col_ind.data(), b.data(),
                                       a.m, info, kAuto, &bytes));
  DeviceArray<char> buffer(bytes);
  ROCSPARSE_CHECK(csrsm_analysis<T>(handle, kNone, kNone, a.m, columns, a.nnz(), &alpha, descr,
                                    d.val.data(), d.row_ptr.data(), d.col_ind.data(), b.data(), a.m,
                                    info, kForce, kAuto, buffer.data()));
  judge.timed(std::string("csrsm_solve ") + type_name<T>(),
              static_cast<size_t>(a.nnz()) * static_cast<size_t>(columns), [&] {
                ROCSPARSE_CHECK(csrsm_solve<T>(
                    handle, kNone, kNone, a.m, columns, a.nnz(), &alpha, descr, d.val.data(),
                    d.row_ptr.data(), d.col_ind.data(), b.data(), a.m, info, kAuto, buffer.data()));
              });
  const auto dense = triangle(a, lower, false, false);
  std::vector<double> want;
  for (int column = 0; column < columns; ++column) {
    std::vector<double> right;
    for (int i = 0; i < a.m; ++i) right.push_back(2.0 * x[static_cast<size_t>(column * a.m + i)]);
    right = substitute(dense, lower, right);
    want.insert(want.end(), right.begin(), right.end());
  }
  judge.close(b.read(), want, kTolerance<T>,
              std::string("csrsm ") + type_name<T>() + (lower ? " lower " : " upper ") +
                  std::to_string(a.m) + " columns " + std::to_string(columns));
}

// The factors within the pattern of A: L with unit diagonal and U, or Cholesky's L.
template <typename T>
std::vector<double> incomplete(const Csr<T>& a, bool cholesky) {
  std::vector<std::vector<double>> f(static_cast<size_t>(a.m),
                                     std::vector<double>(static_cast<size_t>(a.m), 0));
  a.each([&](int i, int j, T value) { f[static_cast<size_t>(i)][static_cast<size_t>(j)] = value; });
  const size_t m = f.size();
  for (size_t i = 0; i < m; ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (f[i][k] == 0) continue;
      if (cholesky) {
        for (size_t s = 0; s < k; ++s) f[i][k] -= f[i][s] * f[k][s];
        f[i][k] /= f[k][k];
        f[i][i] -= f[i][k] * f[i][k];
      } else {
        f[i][k] /= f[k][k];
        for (size_t j = k + 1; j < m; ++j) {
          if (f[i][j] != 0) f[i][j] -= f[i][k] * f[k][j];
        }
      }
    }
    if (cholesky) f[i][i] = std::sqrt(f[i][i]);
  }
  std::vector<double> values;
  a.each([&](int i, int j, T value) {
    const bool kept = !cholesky || j <= i;
    values.push_back(kept ? f[static_cast<size_t>(i)][static_cast<size_t>(j)] : value);
  });
  return values;
}

template <typename T>
void factorise(Judge& judge, const Csr<T>& a, bool cholesky) {
  const Handle handle;
  const Description descr(a.base);
  const Info info;
  const DeviceCsr<T> d(a);
  size_t bytes = 0;
  ROCSPARSE_CHECK(
      (cholesky ? csric0_buffer_size<T> : csrilu0_buffer_size<T>)(handle, a.m, a.nnz(), descr,
                                                                  d.val.data(), d.row_ptr.data(),
                                                                  d.col_ind.data(), info, &bytes));
  DeviceArray<char> buffer(bytes);
  ROCSPARSE_CHECK((cholesky ? csric0_analysis<T>
                            : csrilu0_analysis<T>)(handle, a.m, a.nnz(), descr, d.val.data(),
                                                   d.row_ptr.data(), d.col_ind.data(), info, kForce,
                                                   kAuto, buffer.data()));
  const std::string name = std::string(cholesky ? "csric0 " : "csrilu0 ") + type_name<T>();
  judge.timed(name, static_cast<size_t>(a.nnz()), [&] {
    ROCSPARSE_CHECK((cholesky ? csric0<T> : csrilu0<T>)(handle, a.m, a.nnz(), descr, d.val.data(),
                                                        d.row_ptr.data(), d.col_ind.data(), info,
                                                        kAuto, buffer.data()));
  });
  judge.close(d.val.read(), incomplete(a, cholesky), kTolerance<T>,
              name + " " + std::to_string(a.m));
}

// Thomas's algorithm on the host against both of the library's solvers.
template <typename T>
void tridiagonal(Judge& judge, int m, bool pivoting) {
  const Handle handle;
  std::vector<T> lower = small_vector<T>(static_cast<size_t>(m), 31);
  std::vector<T> upper = small_vector<T>(static_cast<size_t>(m), 32);
  const std::vector<T> middle(static_cast<size_t>(m), T(11));
  const std::vector<T> right = small_vector<T>(static_cast<size_t>(m), 33);
  lower.front() = upper.back() = T(0);
  const DeviceArray<T> dl(lower), dm(middle), du(upper);
  DeviceArray<T> b(right);
  const auto size_of = pivoting ? gtsv_buffer_size<T> : gtsv_no_pivot_buffer_size<T>;
  size_t bytes = 0;
  ROCSPARSE_CHECK(size_of(handle, m, 1, dl.data(), dm.data(), du.data(), b.data(), m, &bytes));
  DeviceArray<char> buffer(std::max<size_t>(bytes, 1));
  const std::string name = std::string(pivoting ? "gtsv " : "gtsv_no_pivot ") + type_name<T>();
  judge.timed(name, static_cast<size_t>(m), [&] {
    ROCSPARSE_CHECK((pivoting ? gtsv<T> : gtsv_no_pivot<T>)(handle, m, 1, dl.data(), dm.data(),
                                                            du.data(), b.data(), m, buffer.data()));
  });
  std::vector<double> c(static_cast<size_t>(m)), want(static_cast<size_t>(m));
  double before_c = 0, before_x = 0;
  for (size_t i = 0; i < c.size(); ++i) {
    const double divisor = middle[i] - lower[i] * before_c;
    c[i] = before_c = upper[i] / divisor;
    want[i] = before_x = (right[i] - lower[i] * before_x) / divisor;
  }
  for (size_t i = c.size() - 1; i-- > 0;) want[i] -= c[i] * want[i + 1];
  judge.close(b.read(), want, kTolerance<T>, name + " " + std::to_string(m));
}

template <typename T>
void run(Judge& judge) {
  for (const auto& [m, per_row] : {std::pair{1, 1}, {63, 3}, {65, 12}, {500, 6}, {900, 60}}) {
    const Csr<T> a = strong_diagonal<T>(m, per_row, m % 2);
    for (const bool lower : {true, false}) {
      for (const bool unit : {true, false}) {
        // A unit triangle of a matrix with entries up to 1/2 a row: only well-conditioned when
        // thin.
        if (unit && per_row > 12) continue;
        vector_solve(judge, a, lower, unit, false);
        vector_solve(judge, a, lower, unit, true);
      }
      matrix_solve(judge, a, lower, 5);
      matrix_solve(judge, a, lower, 70);
    }
    factorise(judge, a, false);
    factorise(judge, a, true);
  }
  for (const int m : {3, 64, 65, 513, 5000}) {
    tridiagonal<T>(judge, m, false);
    tridiagonal<T>(judge, m, true);
  }
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  run<float>(judge);
  run<double>(judge);
  return judge.verdict();
}
