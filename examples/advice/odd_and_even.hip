// Neighbouring lanes take different branches: a wave goes through both. FIXED: waves do.
#include "../checks/memory.hpp"

constexpr int kGroups = 1216;

__global__ void branches(float* a, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
#ifdef FIXED
  const bool odd = threadIdx.x / 64 % 2 == 1;
#else
  const bool odd = threadIdx.x % 2 == 1;
#endif
  if (odd) {
#pragma unroll 4
    for (int k = 0; k < steps; ++k) x = (x * 0.5f + 3.0f) * x + (x * x - 2.0f) * x;  // cause
  } else {
#pragma unroll 4
    for (int k = 0; k < steps; ++k) x = (x * x - 0.25f) * x;
  }
  a[i] = x;
}

int main() {
  branches<<<kGroups, 256>>>(zeros<float>(kGroups * 256), 256);
  return finish();
}
