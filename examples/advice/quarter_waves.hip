// Workgroups of 16 work-items fill a quarter of a wave. FIXED: they have 256.
#include "../checks/memory.hpp"

constexpr int kItems = 1216 * 64;
#ifdef FIXED
constexpr int kGroup = 256;
#else
constexpr int kGroup = 16;
#endif

__global__ void chain(float* a, int steps) {
  const int i = blockIdx.x * kGroup + threadIdx.x;  // cause
  float x = a[i];
#pragma unroll 4
  for (int k = 0; k < steps; ++k) x = x * 0.5f + 1.0f;
  a[i] = x;
}

int main() {
  chain<<<kItems / kGroup, kGroup>>>(zeros<float>(kItems), 1024);
  return finish();
}
