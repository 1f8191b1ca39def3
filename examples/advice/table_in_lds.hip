// Each work-item keeps 32 numbers in LDS, one behind the other, so that all lanes go to one bank.
// FIXED: the numbers of the work-items alternate.
#include "../checks/memory.hpp"

constexpr int kGroups = 608, kOwn = 32;

__global__ __launch_bounds__(64) void smooth(const float* in, float* out, int rounds) {
  __shared__ float table[64 * kOwn];
  const int lane = threadIdx.x, i = blockIdx.x * 64 + lane;
  float value = in[i];
  for (int k = 0; k < kOwn; ++k) table[k * 64 + lane] = value;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll 4
    for (int k = 0; k < kOwn; ++k) {
#ifdef FIXED
      value += table[k * 64 + lane];
#else
      value += table[lane * kOwn + k];  // cause
#endif
    }
  }
  out[i] = value;
}

int main() {
  smooth<<<kGroups, 64>>>(zeros<float>(kGroups * 64), zeros<float>(kGroups * 64), 48);
  return finish();
}
