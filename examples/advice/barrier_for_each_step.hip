// A barrier in each step, though each wave uses only what it wrote itself. FIXED: none.
#include "../checks/memory.hpp"

constexpr int kGroups = 208;

__global__ __launch_bounds__(1024) void steps(float* a, int count) {
  __shared__ float all[1024];
  volatile float* const shared = all;
  const int lane = threadIdx.x % 64, first = threadIdx.x - lane;
  float x = a[blockIdx.x * 1024 + threadIdx.x];
#pragma unroll 1
  for (int k = 0; k < count; ++k) {
    // Waves do more or less of it, at different times.
    for (int j = (first / 64 + k) % 4 * 4; j > 0; --j) x = x * 0.5f + 1.0f;
    shared[threadIdx.x] = x;
#ifndef FIXED
    __syncthreads();  // cause
#endif
    x = x * 0.5f + shared[first + (lane + k) % 64];
  }
  a[blockIdx.x * 1024 + threadIdx.x] = x;
}

int main() {
  steps<<<kGroups, 1024>>>(zeros<float>(kGroups * 1024), 64);
  return finish();
}
