// rocSPARSE's products of a sparse matrix and a vector, in every format, against the host.
#include "rocsparse/sparse.hpp"

using libraries::Judge;
using namespace sparse;

ROCSPARSE_TYPED(csrmv);
ROCSPARSE_TYPED(csrmv_analysis);
ROCSPARSE_TYPED(coomv);
ROCSPARSE_TYPED(csr2ell);
ROCSPARSE_TYPED(ellmv);
ROCSPARSE_TYPED(csr2hyb);
ROCSPARSE_TYPED(hybmv);
ROCSPARSE_TYPED(csr2bsr);
ROCSPARSE_TYPED(bsrmv);

// One matrix with its vectors on both sides.
template <typename T>
struct Case {
  Case(Judge& judge_of, const Csr<T>& matrix)
      : judge(judge_of),
        host(matrix),
        device(matrix),
        x(small_vector<T>(static_cast<size_t>(std::max(matrix.m, matrix.n)), 5)),
        y(small_vector<T>(static_cast<size_t>(std::max(matrix.m, matrix.n)), 6)),
        device_x(x),
        device_y(y),
        descr(matrix.base) {}

  // Runs `call(y)` and compares y with alpha op(A) x + beta y.
  template <typename Call>
  void check(const std::string& format, rocsparse_operation op, Call call) {
    device_y.write(y);
    const std::string name = format + (op == rocsparse_operation_none        ? ""
                                       : op == rocsparse_operation_transpose ? " transposed"
                                                                             : " conjugate");
    judge.timed(name + " " + type_name<T>(), static_cast<size_t>(host.nnz()),
                [&] { ROCSPARSE_CHECK(call(device_y.data())); });
    std::vector<T> got = device_y.read();
    const bool straight = op == rocsparse_operation_none;
    std::vector<T> vector = y;
    vector.resize(static_cast<size_t>(straight ? host.m : host.n));
    got.resize(vector.size());
    judge.same(got, product(host, op, alpha, x, beta, vector),
               name + " " + type_name<T>() + " " + std::to_string(host.m) + "x" +
                   std::to_string(host.n) + " base " + std::to_string(host.base));
  }

  Judge& judge;
  const Csr<T>& host;
  DeviceCsr<T> device;
  std::vector<T> x, y;
  DeviceArray<T> device_x, device_y;
  Description descr;
  Handle handle;
  T alpha = T(2);
  T beta = T(-3);
};

// CSR, with and without the analysis that chooses the adaptive kernels, and COO.
template <typename T>
void rows_and_coordinates(Case<T>& c) {
  const Csr<T>& a = c.host;
  const DeviceCsr<T>& d = c.device;
  for (auto op : {rocsparse_operation_none, rocsparse_operation_transpose,
                  rocsparse_operation_conjugate_transpose}) {
    const auto csr = [&](rocsparse_mat_info info) {
      return [&, info](T* y) {
        return csrmv<T>(c.handle, op, a.m, a.n, a.nnz(), &c.alpha, c.descr, d.val.data(),
                        d.row_ptr.data(), d.col_ind.data(), info, c.device_x.data(), &c.beta, y);
      };
    };
    c.check("csrmv", op, csr(nullptr));
    Info info;
    ROCSPARSE_CHECK(csrmv_analysis<T>(c.handle, op, a.m, a.n, a.nnz(), c.descr, d.val.data(),
                                      d.row_ptr.data(), d.col_ind.data(), info));
    c.check("csrmv analysed", op, csr(info));
    DeviceArray<int> rows(static_cast<size_t>(a.nnz()));
    ROCSPARSE_CHECK(rocsparse_csr2coo(c.handle, d.row_ptr.data(), a.nnz(), a.m, rows.data(),
                                      Description::index_base(a.base)));
    c.check("coomv", op, [&](T* y) {
      return coomv<T>(c.handle, op, a.m, a.n, a.nnz(), &c.alpha, c.descr, d.val.data(), rows.data(),
                      d.col_ind.data(), c.device_x.data(), &c.beta, y);
    });
  }
}

// ELL and HYB, made from CSR by the library.
template <typename T>
void padded(Case<T>& c) {
  const Csr<T>& a = c.host;
  const DeviceCsr<T>& d = c.device;
  int width = 0;
  ROCSPARSE_CHECK(
      rocsparse_csr2ell_width(c.handle, a.m, c.descr, d.row_ptr.data(), c.descr, &width));
  DeviceArray<T> val(static_cast<size_t>(width) * a.m);
  DeviceArray<int> col(static_cast<size_t>(width) * a.m);
  ROCSPARSE_CHECK(csr2ell<T>(c.handle, a.m, c.descr, d.val.data(), d.row_ptr.data(),
                             d.col_ind.data(), c.descr, width, val.data(), col.data()));
  for (auto op : {rocsparse_operation_none, rocsparse_operation_transpose}) {
    c.check("ellmv", op, [&](T* y) {
      return ellmv<T>(c.handle, op, a.m, a.n, &c.alpha, c.descr, val.data(), col.data(), width,
                      c.device_x.data(), &c.beta, y);
    });
  }
  for (auto partition : {rocsparse_hyb_partition_auto, rocsparse_hyb_partition_user}) {
    rocsparse_hyb_mat hyb = nullptr;
    ROCSPARSE_CHECK(rocsparse_create_hyb_mat(&hyb));
    ROCSPARSE_CHECK(csr2hyb<T>(c.handle, a.m, a.n, c.descr, d.val.data(), d.row_ptr.data(),
                               d.col_ind.data(), hyb,
                               partition == rocsparse_hyb_partition_user ? 1 : 0, partition));
    c.check("hybmv", rocsparse_operation_none, [&](T* y) {
      return hybmv<T>(c.handle, rocsparse_operation_none, &c.alpha, c.descr, hyb, c.device_x.data(),
                      &c.beta, y);
    });
    ROCSPARSE_CHECK(rocsparse_destroy_hyb_mat(hyb));
  }
}

// BSR in blocks of several sizes; the library pads the matrix to whole blocks.
template <typename T>
void blocks(Case<T>& c, int block, rocsparse_direction direction) {
  const Csr<T>& a = c.host;
  const DeviceCsr<T>& d = c.device;
  const int mb = (a.m + block - 1) / block;
  const int nb = (a.n + block - 1) / block;
  DeviceArray<int> row_ptr(static_cast<size_t>(mb) + 1);
  int count = 0;
  ROCSPARSE_CHECK(rocsparse_csr2bsr_nnz(c.handle, direction, a.m, a.n, c.descr, d.row_ptr.data(),
                                        d.col_ind.data(), block, c.descr, row_ptr.data(), &count));
  DeviceArray<int> col_ind(static_cast<size_t>(count));
  DeviceArray<T> val(static_cast<size_t>(count) * block * block);
  ROCSPARSE_CHECK(csr2bsr<T>(c.handle, direction, a.m, a.n, c.descr, d.val.data(), d.row_ptr.data(),
                             d.col_ind.data(), block, c.descr, val.data(), row_ptr.data(),
                             col_ind.data()));
  if (a.m % block != 0 || a.n % block != 0) return;
  c.check("bsrmv block " + std::to_string(block), rocsparse_operation_none, [&](T* y) {
    return bsrmv<T>(c.handle, direction, rocsparse_operation_none, mb, nb, count, &c.alpha, c.descr,
                    val.data(), row_ptr.data(), col_ind.data(), block, c.device_x.data(), &c.beta,
                    y);
  });
}

template <typename T>
void run(Judge& judge) {
  struct Shape {
    int m, n, per_row;
  };
  for (const Shape shape : {Shape{1, 1, 1}, Shape{63, 70, 3}, Shape{240, 240, 9},
                            Shape{65, 1000, 40}, Shape{1200, 480, 90}}) {
    if (judge.quick() && shape.m > 100) break;
    for (const int base : {0, 1}) {
      const Csr<T> matrix = random_matrix<T>(shape.m, shape.n, shape.per_row, base, 3);
      Case<T> c(judge, matrix);
      rows_and_coordinates(c);
      padded(c);
      for (const int block : {2, 3, 4, 5, 8, 16}) {
        blocks(c, block, rocsparse_direction_row);
        blocks(c, block, rocsparse_direction_column);
      }
    }
  }
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  run<float>(judge);
  if (judge.quick()) return judge.verdict();
  run<double>(judge);
  run<rocsparse_float_complex>(judge);
  run<rocsparse_double_complex>(judge);
  return judge.verdict();
}
