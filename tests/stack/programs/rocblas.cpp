// A matrix product of 1024 by rocBLAS, in f32 and in f16 with sums in f32.
#include <rocblas/rocblas.h>

#include "measure.hpp"

namespace {

constexpr rocblas_int kSize = 1024;

template <typename T>
void gemm(const char* name, rocblas_handle handle, hipStream_t stream, rocblas_datatype type) {
  const T* a = filled<T>(kSize * kSize);
  const T* b = filled<T>(kSize * kSize);
  T* c = filled<T>(kSize * kSize);
  const float one = 1, zero = 0;
  measure(name, stream, [&] {
    check(rocblas_gemm_ex(handle, rocblas_operation_none, rocblas_operation_none, kSize, kSize,
                          kSize, &one, a, type, kSize, b, type, kSize, &zero, c, type, kSize, c,
                          type, kSize, rocblas_datatype_f32_r, rocblas_gemm_algo_standard, 0, 0),
          "rocblas_gemm_ex");
  });
}

}  // namespace

int main() {
  rocblas_handle handle = nullptr;
  hipStream_t stream = nullptr;
  check(hipStreamCreate(&stream), "hipStreamCreate");
  check(rocblas_create_handle(&handle), "rocblas_create_handle");
  check(rocblas_set_stream(handle, stream), "rocblas_set_stream");
  gemm<float>("rocBLAS gemm f32, 1024", handle, stream, rocblas_datatype_f32_r);
  gemm<_Float16>("rocBLAS gemm f16, 1024", handle, stream, rocblas_datatype_f16_r);
}
