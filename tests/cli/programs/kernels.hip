// Kernels with known needs.
#include <hip/hip_runtime.h>

__global__ void add_one(float* data) { data[threadIdx.x] += 1.0f; }

__global__ void tile(const float* in, float* out) {
  __shared__ float buffer[8192];
  buffer[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = buffer[1023 - threadIdx.x];
}

__global__ __launch_bounds__(256) void hungry(const double* in, double* out, int n) {
  double value[60];
  for (int i = 0; i < 60; ++i) value[i] = in[i * n + threadIdx.x];
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 60; ++i) value[i] = value[i] * value[(i + 7) % 60] + in[k];
  for (int i = 0; i < 60; ++i) out[i * n + threadIdx.x] = value[i];
}
