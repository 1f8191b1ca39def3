// Kernels with something to say about, and one without.
#include <hip/hip_runtime.h>

/// Sixteen doubles behind a step: 7 instead of 8 workgroups fit on a compute unit.
__global__ void __launch_bounds__(256) padded(double* data) {
  __shared__ double tile[1040];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[1039 - threadIdx.x];
}

/// The factor is a double.
__global__ void halved(float* data) {
  const float x = data[threadIdx.x];
  data[threadIdx.x] = x * 0.3;
}

/// The weight might lie in `out`.
__global__ void weighted(const float* weight, float* out, int count) {
  for (int i = 0; i < count; ++i) {
    out[i * 64 + threadIdx.x] = out[i * 64 + threadIdx.x] / weight[threadIdx.x];
  }
}

__global__ void plain(float* data) { data[threadIdx.x] *= 2; }
