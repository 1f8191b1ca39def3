// Coefficients that are the same for all lanes are loaded by lanes, since a store might change them.
// FIXED: __restrict__ says that none does, and the scalar unit loads them.
#include "../checks/memory.hpp"

#ifdef FIXED
#define ALONE __restrict__
#else
#define ALONE
#endif

constexpr int kItems = 1216 * 256, kTerms = 64;

__global__ void filter(const float* ALONE coefficients, float* ALONE out, int terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i;
#pragma unroll 1
  for (int k = 0; k < terms; ++k) {
    sum = sum * 0.5f + coefficients[k];  // cause
    if (k % 16 == 15) out[i] = sum;
  }
}

int main() {
  filter<<<kItems / 256, 256>>>(zeros<float>(kTerms), zeros<float>(kItems), kTerms);
  return finish();
}
