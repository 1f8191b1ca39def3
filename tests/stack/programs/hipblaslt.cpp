// A matrix product of 1024 by hipBLASLt, in f32 and in f16 with sums in f32.
#include <hipblaslt/hipblaslt.h>

#include "measure.hpp"

namespace {

constexpr int kSize = 1024;
constexpr std::size_t kWorkspaceBytes = 32 << 20;

template <typename T>
void gemm(const char* name, hipblasLtHandle_t handle, hipStream_t stream, hipDataType type) {
  const T* a = filled<T>(kSize * kSize);
  const T* b = filled<T>(kSize * kSize);
  T* c = filled<T>(kSize * kSize);
  void* workspace = filled<char>(kWorkspaceBytes);
  const float one = 1, zero = 0;
  hipblasLtMatmulDesc_t product;
  hipblasLtMatrixLayout_t layout;
  hipblasLtMatmulPreference_t preference;
  check(hipblasLtMatmulDescCreate(&product, HIPBLAS_COMPUTE_32F, HIP_R_32F), "MatmulDescCreate");
  check(hipblasLtMatrixLayoutCreate(&layout, type, kSize, kSize, kSize), "MatrixLayoutCreate");
  check(hipblasLtMatmulPreferenceCreate(&preference), "MatmulPreferenceCreate");
  check(hipblasLtMatmulPreferenceSetAttribute(preference, HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &kWorkspaceBytes, sizeof(kWorkspaceBytes)),
        "MatmulPreferenceSetAttribute");
  hipblasLtMatmulHeuristicResult_t found;
  int count = 0;
  check(hipblasLtMatmulAlgoGetHeuristic(handle, product, layout, layout, layout, layout, preference,
                                        1, &found, &count),
        "MatmulAlgoGetHeuristic");
  measure(name, stream, [&] {
    check(hipblasLtMatmul(handle, product, &one, a, layout, b, layout, &zero, c, layout, c, layout,
                          &found.algo, workspace, kWorkspaceBytes, stream),
          "hipblasLtMatmul");
  });
}

}  // namespace

int main() {
  hipblasLtHandle_t handle = nullptr;
  hipStream_t stream = nullptr;
  check(hipStreamCreate(&stream), "hipStreamCreate");
  check(hipblasLtCreate(&handle), "hipblasLtCreate");
  gemm<float>("hipBLASLt gemm f32, 1024", handle, stream, HIP_R_32F);
  gemm<_Float16>("hipBLASLt gemm f16, 1024", handle, stream, HIP_R_16F);
}
