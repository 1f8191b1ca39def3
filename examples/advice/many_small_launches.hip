// A kernel of a few microseconds is launched for each of 8 steps. FIXED: one launch does all steps.
#include "../checks/memory.hpp"

constexpr int kItems = 208 * 1024, kSteps = 8, kWork = 32;

__global__ void step(float* a, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // cause
  float x = a[i];
#pragma unroll 4
  for (int k = 0; k < steps * kWork; ++k) x = x * 0.5f + 1.0f;
  a[i] = x;
}

int main() {
  float* const a = zeros<float>(kItems);
#ifdef FIXED
  step<<<kItems / 256, 256>>>(a, kSteps);
#else
  for (int s = 0; s < kSteps; ++s) step<<<kItems / 256, 256>>>(a, 1);
#endif
  return finish();
}
