// A fence of the whole device after each value that only the own workgroup reads. FIXED: a fence of
// the workgroup.
#include "../checks/memory.hpp"

constexpr int kGroups = 208, kSteps = 16;

__global__ void pass_on(float* a, int steps) {
  float* const own = a + blockIdx.x * 256;
  float x = own[threadIdx.x];
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    own[threadIdx.x] = x + 1;
#ifdef FIXED
    __threadfence_block();
#else
    __threadfence();  // cause
#endif
    __syncthreads();
    x = own[(threadIdx.x + 64) % 256];
    __syncthreads();
  }
  own[threadIdx.x] = x;
}

int main() {
  pass_on<<<kGroups, 256>>>(zeros<float>(kGroups * 256), kSteps);
  return finish();
}
