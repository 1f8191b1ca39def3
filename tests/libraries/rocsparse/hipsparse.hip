// hipSPARSE, the portable layer: a matrix times a vector through Debian's libhipsparse.
#include <hipsparse/hipsparse.h>

#include "rocsparse/sparse.hpp"

// Ends the program with a message when a hipSPARSE call fails.
void hipsparse_check(hipsparseStatus_t status, const char* what) {
  if (status == HIPSPARSE_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: status %d\n", what, status);
  std::exit(2);
}

int main(int argc, char** argv) {
  libraries::Judge judge(argc, argv);
  const auto a = sparse::random_matrix<double>(1200, 480, 90, 0, 3);
  const sparse::DeviceCsr<double> device(a);
  const auto x = sparse::small_vector<double>(480, 5);
  const auto y = sparse::small_vector<double>(1200, 6);
  const example::DeviceArray<double> device_x(x), device_y(y);
  const double alpha = 2, beta = -3;
  hipsparseHandle_t handle = nullptr;
  hipsparseSpMatDescr_t matrix = nullptr;
  hipsparseDnVecDescr_t in = nullptr, out = nullptr;
  hipsparse_check(hipsparseCreate(&handle), "create");
  hipsparse_check(hipsparseCreateCsr(&matrix, a.m, a.n, a.nnz(), device.row_ptr.data(),
                                     device.col_ind.data(), device.val.data(), HIPSPARSE_INDEX_32I,
                                     HIPSPARSE_INDEX_32I, HIPSPARSE_INDEX_BASE_ZERO, HIP_R_64F),
                  "matrix");
  hipsparse_check(hipsparseCreateDnVec(&in, a.n, device_x.data(), HIP_R_64F), "x");
  hipsparse_check(hipsparseCreateDnVec(&out, a.m, device_y.data(), HIP_R_64F), "y");
  size_t bytes = 0;
  hipsparse_check(
      hipsparseSpMV_bufferSize(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, in, &beta,
                               out, HIP_R_64F, HIPSPARSE_MV_ALG_DEFAULT, &bytes),
      "size");
  example::DeviceArray<char> buffer(std::max<size_t>(bytes, 1));
  judge.timed("hipsparseSpMV double", static_cast<size_t>(a.nnz()), [&] {
    hipsparse_check(hipsparseSpMV(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, in,
                                  &beta, out, HIP_R_64F, HIPSPARSE_MV_ALG_DEFAULT, buffer.data()),
                    "product");
  });
  judge.same(device_y.read(), sparse::product(a, rocsparse_operation_none, alpha, x, beta, y),
             "hipsparseSpMV");
  hipsparse_check(hipsparseDestroySpMat(matrix), "destroy");
  hipsparse_check(hipsparseDestroyDnVec(in), "destroy");
  hipsparse_check(hipsparseDestroyDnVec(out), "destroy");
  hipsparse_check(hipsparseDestroy(handle), "destroy");
  return judge.verdict();
}
