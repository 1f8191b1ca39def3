// rocSPARSE's products with matrices: sparse times dense, dense times sparse, sparse times sparse,
// sums of sparse ones, and the generic interface, against dense products of the host.
#include "rocsparse/sparse.hpp"

using libraries::Judge;
using namespace sparse;

ROCSPARSE_TYPED(csrmm);
ROCSPARSE_TYPED(gemmi);
ROCSPARSE_TYPED(csrgemm_buffer_size);
ROCSPARSE_TYPED(csrgemm);
ROCSPARSE_TYPED(csrgeam);

constexpr auto kNone = rocsparse_operation_none;
constexpr auto kTransposed = rocsparse_operation_transpose;

// A dense matrix kept by columns.
template <typename T>
struct Dense {
  int m, n;
  std::vector<T> val;
  Dense(int rows, int columns, uint64_t seed)
      : m(rows), n(columns), val(small_vector<T>(static_cast<size_t>(rows) * columns, seed)) {}
  Dense(int rows, int columns, std::vector<T> values)
      : m(rows), n(columns), val(std::move(values)) {}
  T at(int i, int j) const { return val[static_cast<size_t>(j) * m + i]; }
  T& at(int i, int j) { return val[static_cast<size_t>(j) * m + i]; }
  Dense transposed() const {
    Dense out(n, m, std::vector<T>(val.size()));
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) out.at(j, i) = at(i, j);
    }
    return out;
  }
};

// alpha A B + beta C.
template <typename T>
Dense<T> product(T alpha, const Dense<T>& a, const Dense<T>& b, T beta, Dense<T> c) {
  for (int j = 0; j < c.n; ++j) {
    std::vector<T> column(static_cast<size_t>(c.m), T(0));
    for (int k = 0; k < a.n; ++k) {
      for (int i = 0; i < c.m; ++i) column[static_cast<size_t>(i)] += a.at(i, k) * b.at(k, j);
    }
    for (int i = 0; i < c.m; ++i) {
      c.at(i, j) = alpha * column[static_cast<size_t>(i)] + beta * c.at(i, j);
    }
  }
  return c;
}

template <typename T>
std::string label(const std::string& what, const Csr<T>& a) {
  return what + " " + type_name<T>() + " " + std::to_string(a.m) + "x" + std::to_string(a.n) +
         " base " + std::to_string(a.base);
}

// C = 2 op(A) op(B) - 3 C with A sparse, B and C dense of `columns` columns.
template <typename T>
void sparse_dense(Judge& judge, const Csr<T>& a, int columns) {
  const Handle handle;
  const Description descr(a.base);
  const DeviceCsr<T> device(a);
  const T alpha = T(2), beta = T(-3);
  const Dense<T> whole(a.m, a.n, a.dense());
  for (const auto op_a : {kNone, kTransposed}) {
    for (const auto op_b : {kNone, kTransposed}) {
      const Dense<T> left = op_a == kNone ? whole : whole.transposed();
      const Dense<T> right(left.n, columns, 7);
      const Dense<T> result(left.m, columns, 8);
      const Dense<T> stored = op_b == kNone ? right : right.transposed();
      const DeviceArray<T> b(stored.val), c(result.val);
      const std::string what =
          std::string("csrmm ") + (op_a == kNone ? "n" : "t") + (op_b == kNone ? "n" : "t");
      judge.timed(what + " " + type_name<T>(), a.col_ind.size() * static_cast<size_t>(columns),
                  [&] {
                    ROCSPARSE_CHECK(csrmm<T>(handle, op_a, op_b, a.m, columns, a.n, a.nnz(), &alpha,
                                             descr, device.val.data(), device.row_ptr.data(),
                                             device.col_ind.data(), b.data(), stored.m, &beta,
                                             c.data(), left.m));
                  });
      judge.same(c.read(), product(alpha, left, right, beta, result).val,
                 label(what + " " + std::to_string(columns) + " columns", a));
    }
  }
}

// C = 2 D A - 3 C with the sparse matrix transposed on the right: rocSPARSE's gemmi.
template <typename T>
void dense_sparse(Judge& judge, const Csr<T>& a, int rows) {
  const Handle handle;
  const Description descr(a.base);
  const DeviceCsr<T> device(a);
  const T alpha = T(2), beta = T(-3);
  const Dense<T> left(rows, a.n, 9), result(rows, a.m, 10);
  const DeviceArray<T> d(left.val), c(result.val);
  judge.timed(
      std::string("gemmi ") + type_name<T>(), a.col_ind.size() * static_cast<size_t>(rows), [&] {
        ROCSPARSE_CHECK(gemmi<T>(handle, kNone, kTransposed, rows, a.m, a.n, a.nnz(), &alpha,
                                 d.data(), rows, descr, device.val.data(), device.row_ptr.data(),
                                 device.col_ind.data(), &beta, c.data(), rows));
      });
  const Dense<T> right = Dense<T>(a.m, a.n, a.dense()).transposed();
  judge.same(c.read(), product(alpha, left, right, beta, result).val, label("gemmi", a));
}

// C = 2 A B - 3 D, all sparse.
template <typename T>
void sparse_sparse(Judge& judge, const Csr<T>& a, const Csr<T>& b, const Csr<T>& d) {
  const Handle handle;
  const Description descr_a(a.base), descr_b(b.base), descr_c(a.base), descr_d(d.base);
  const Info info;
  const DeviceCsr<T> da(a), db(b), dd(d);
  const T alpha = T(2), beta = T(-3);
  size_t bytes = 0;
  ROCSPARSE_CHECK(csrgemm_buffer_size<T>(
      handle, kNone, kNone, a.m, b.n, a.n, &alpha, descr_a, a.nnz(), da.row_ptr.data(),
      da.col_ind.data(), descr_b, b.nnz(), db.row_ptr.data(), db.col_ind.data(), &beta, descr_d,
      d.nnz(), dd.row_ptr.data(), dd.col_ind.data(), info, &bytes));
  DeviceArray<char> buffer(bytes);
  DeviceArray<int> row_ptr(static_cast<size_t>(a.m) + 1);
  int count = 0;
  ROCSPARSE_CHECK(rocsparse_csrgemm_nnz(
      handle, kNone, kNone, a.m, b.n, a.n, descr_a, a.nnz(), da.row_ptr.data(), da.col_ind.data(),
      descr_b, b.nnz(), db.row_ptr.data(), db.col_ind.data(), descr_d, d.nnz(), dd.row_ptr.data(),
      dd.col_ind.data(), descr_c, row_ptr.data(), &count, info, buffer.data()));
  DeviceArray<int> col_ind(static_cast<size_t>(count));
  DeviceArray<T> val(static_cast<size_t>(count));
  judge.timed(std::string("csrgemm ") + type_name<T>(), static_cast<size_t>(count), [&] {
    ROCSPARSE_CHECK(csrgemm<T>(handle, kNone, kNone, a.m, b.n, a.n, &alpha, descr_a, a.nnz(),
                               da.val.data(), da.row_ptr.data(), da.col_ind.data(), descr_b,
                               b.nnz(), db.val.data(), db.row_ptr.data(), db.col_ind.data(), &beta,
                               descr_d, d.nnz(), dd.val.data(), dd.row_ptr.data(),
                               dd.col_ind.data(), descr_c, val.data(), row_ptr.data(),
                               col_ind.data(), info, buffer.data()));
  });
  const Csr<T> got{a.m, b.n, a.base, row_ptr.read(), col_ind.read(), val.read()};
  const Dense<T> want = product(alpha, Dense<T>(a.m, a.n, a.dense()), Dense<T>(b.m, b.n, b.dense()),
                                beta, Dense<T>(d.m, d.n, d.dense()));
  judge.same(got.dense(), want.val, label("csrgemm", a));
}

// C = 2 A - 3 B, both sparse.
template <typename T>
void sparse_sum(Judge& judge, const Csr<T>& a, const Csr<T>& b) {
  const Handle handle;
  const Description descr_a(a.base), descr_b(b.base), descr_c(0);
  const DeviceCsr<T> da(a), db(b);
  const T alpha = T(2), beta = T(-3);
  DeviceArray<int> row_ptr(static_cast<size_t>(a.m) + 1);
  int count = 0;
  ROCSPARSE_CHECK(rocsparse_csrgeam_nnz(handle, a.m, a.n, descr_a, a.nnz(), da.row_ptr.data(),
                                        da.col_ind.data(), descr_b, b.nnz(), db.row_ptr.data(),
                                        db.col_ind.data(), descr_c, row_ptr.data(), &count));
  DeviceArray<int> col_ind(static_cast<size_t>(count));
  DeviceArray<T> val(static_cast<size_t>(count));
  judge.timed(std::string("csrgeam ") + type_name<T>(), static_cast<size_t>(count), [&] {
    ROCSPARSE_CHECK(csrgeam<T>(handle, a.m, a.n, &alpha, descr_a, a.nnz(), da.val.data(),
                               da.row_ptr.data(), da.col_ind.data(), &beta, descr_b, b.nnz(),
                               db.val.data(), db.row_ptr.data(), db.col_ind.data(), descr_c,
                               val.data(), row_ptr.data(), col_ind.data()));
  });
  const Csr<T> got{a.m, a.n, 0, row_ptr.read(), col_ind.read(), val.read()};
  std::vector<T> want = a.dense();
  const std::vector<T> other = b.dense();
  for (size_t i = 0; i < want.size(); ++i) want[i] = alpha * want[i] + beta * other[i];
  judge.same(got.dense(), want, label("csrgeam", a));
}

template <typename T>
constexpr rocsparse_datatype data_type() {
  if (kComplex<T>) {
    return sizeof(T) == 8 ? rocsparse_datatype_f32_c : rocsparse_datatype_f64_c;
  }
  return sizeof(T) == 4 ? rocsparse_datatype_f32_r : rocsparse_datatype_f64_r;
}

// The generic interface: every algorithm for CSR and COO.
template <typename T>
void generic(Judge& judge, const Csr<T>& a, int columns) {
  const Handle handle;
  const DeviceCsr<T> device(a);
  const T alpha = T(2), beta = T(-3);
  const auto base = Description::index_base(a.base);
  const auto type = data_type<T>();
  constexpr auto i32 = rocsparse_indextype_i32;
  DeviceArray<int> rows(a.col_ind.size());
  ROCSPARSE_CHECK(
      rocsparse_csr2coo(handle, device.row_ptr.data(), a.nnz(), a.m, rows.data(), base));
  const Dense<T> right(a.n, columns, 11), result(a.m, columns, 12);
  const std::vector<T> want =
      product(alpha, Dense<T>(a.m, a.n, a.dense()), right, beta, result).val;
  for (const auto& [algorithm, coordinates, name] :
       {std::tuple{rocsparse_spmm_alg_csr, false, "csr"},
        std::tuple{rocsparse_spmm_alg_csr_row_split, false, "csr_row_split"},
        std::tuple{rocsparse_spmm_alg_csr_merge, false, "csr_merge"},
        std::tuple{rocsparse_spmm_alg_coo_segmented, true, "coo_segmented"},
        std::tuple{rocsparse_spmm_alg_coo_atomic, true, "coo_atomic"},
        std::tuple{rocsparse_spmm_alg_coo_segmented_atomic, true, "coo_segmented_atomic"}}) {
    const DeviceArray<T> b(right.val), c(result.val);
    rocsparse_spmat_descr mat_a = nullptr;
    rocsparse_dnmat_descr mat_b = nullptr, mat_c = nullptr;
    if (coordinates) {
      ROCSPARSE_CHECK(rocsparse_create_coo_descr(&mat_a, a.m, a.n, a.nnz(), rows.data(),
                                                 device.col_ind.data(), device.val.data(), i32,
                                                 base, type));
    } else {
      ROCSPARSE_CHECK(rocsparse_create_csr_descr(&mat_a, a.m, a.n, a.nnz(), device.row_ptr.data(),
                                                 device.col_ind.data(), device.val.data(), i32, i32,
                                                 base, type));
    }
    ROCSPARSE_CHECK(rocsparse_create_dnmat_descr(&mat_b, a.n, columns, a.n, b.data(), type,
                                                 rocsparse_order_column));
    ROCSPARSE_CHECK(rocsparse_create_dnmat_descr(&mat_c, a.m, columns, a.m, c.data(), type,
                                                 rocsparse_order_column));
    size_t bytes = 0;
    const auto stage = [&, algorithm = algorithm](rocsparse_spmm_stage which, void* buffer) {
      return rocsparse_spmm(handle, kNone, kNone, &alpha, mat_a, mat_b, &beta, mat_c, type,
                            algorithm, which, &bytes, buffer);
    };
    ROCSPARSE_CHECK(stage(rocsparse_spmm_stage_buffer_size, nullptr));
    DeviceArray<char> buffer(std::max<size_t>(bytes, 4));
    ROCSPARSE_CHECK(stage(rocsparse_spmm_stage_preprocess, buffer.data()));
    const std::string what = std::string("spmm ") + name;
    judge.timed(what + " " + type_name<T>(), a.col_ind.size() * static_cast<size_t>(columns),
                [&] { ROCSPARSE_CHECK(stage(rocsparse_spmm_stage_compute, buffer.data())); });
    judge.same(c.read(), want, label(what + " " + std::to_string(columns) + " columns", a));
    ROCSPARSE_CHECK(rocsparse_destroy_spmat_descr(mat_a));
    ROCSPARSE_CHECK(rocsparse_destroy_dnmat_descr(mat_b));
    ROCSPARSE_CHECK(rocsparse_destroy_dnmat_descr(mat_c));
  }
}

template <typename T>
void run(Judge& judge) {
  for (const auto& [m, n, per_row] :
       {std::array<int, 3>{1, 1, 1}, {63, 70, 3}, {65, 300, 40}, {300, 120, 20}}) {
    for (const int base : {0, 1}) {
      const Csr<T> a = random_matrix<T>(m, n, per_row, base, 3);
      for (const int columns : {1, 7, 33}) {
        sparse_dense(judge, a, columns);
        generic(judge, a, columns);
      }
      dense_sparse(judge, a, 17);
      sparse_sparse(judge, a, random_matrix<T>(n, 90, 5, 0, 5), random_matrix<T>(m, 90, 4, 1, 6));
      sparse_sum(judge, a, random_matrix<T>(m, n, 6, 0, 7));
    }
  }
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  run<float>(judge);
  run<double>(judge);
  run<rocsparse_double_complex>(judge);
  // Rows of more than 8192 intermediate products take another path of csrgemm.
  sparse_sparse(judge, random_matrix<float>(4, 3000, 2900, 0, 3),
                random_matrix<float>(3000, 9000, 4, 0, 5), random_matrix<float>(4, 9000, 4, 0, 6));
  return judge.verdict();
}
