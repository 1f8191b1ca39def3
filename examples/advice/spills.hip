// Workgroups of 1024 leave 64 to 128 registers to a work-item, fewer than the sums that live at once:
// the others are spilled. FIXED: __launch_bounds__ promises workgroups of 256.
#include "../checks/memory.hpp"

constexpr int kItems = 304 * 1024, kSums = 144;
#ifdef FIXED
constexpr int kGroup = 256;
#else
constexpr int kGroup = 1024;
#endif

__global__ __launch_bounds__(kGroup) void sums(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[kSums];
#pragma unroll
  for (int s = 0; s < kSums; ++s) sum[s] = in[i] * s;
  for (int k = 0; k < 4; ++k) {
    const float x = in[i + k];
#pragma unroll
    for (int s = 0; s < kSums; ++s) sum[s] = sum[s] * x + sum[(s + 7) % kSums];  // cause
  }
  float all = 0;
#pragma unroll
  for (int s = 0; s < kSums; ++s) all += sum[s] * sum[kSums - 1 - s];
  out[i] = all;
}

int main() {
  sums<<<kItems / kGroup, kGroup>>>(zeros<float>(kItems + 16), zeros<float>(kItems));
  return finish();
}
