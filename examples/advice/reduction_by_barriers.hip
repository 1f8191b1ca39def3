// Sums over a workgroup in ten steps through LDS, each with a barrier. FIXED: waves sum by shuffles,
// and there are two barriers for a sum.
#include "../checks/memory.hpp"

constexpr int kGroups = 608, kSums = 8;

__global__ __launch_bounds__(1024) void sums(const float* in, float* out, int count) {
  __shared__ float part[1024];
  const int t = threadIdx.x;
#pragma unroll 1
  for (int s = 0; s < count; ++s) {
    float x = in[s * 1024 + t];
#ifdef FIXED
    for (int width = 32; width > 0; width /= 2) x += __shfl_down(x, width);
    if (t % 64 == 0) part[t / 64] = x;
    __syncthreads();
    if (t < 16) {
      x = part[t];
      for (int width = 8; width > 0; width /= 2) x += __shfl_down(x, width, 16);
    }
    if (t == 0) out[blockIdx.x * kSums + s] = x;
    __syncthreads();
#else
    part[t] = x;
#pragma unroll 1
    for (int width = 512; width > 0; width /= 2) {
      __syncthreads();  // cause
      if (t < width) part[t] += part[t + width];
    }
    if (t == 0) out[blockIdx.x * kSums + s] = part[0];
#endif
  }
}

int main() {
  sums<<<kGroups, 1024>>>(zeros<float>(kSums * 1024), zeros<float>(kGroups * kSums), kSums);
  return finish();
}
