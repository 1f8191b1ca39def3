// Coefficients that are the same for all lanes are loaded by each lane again after each store, which
// might change them. FIXED: __restrict__ says that none does, and the scalar unit loads them.
#include "../checks/memory.hpp"

#ifdef FIXED
#define ALONE __restrict__
#else
#define ALONE
#endif

constexpr int kItems = 1216 * 256, kTerms = 16;

__global__ void filter(const float* ALONE in, const float* ALONE coefficients, float* ALONE out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < kTerms; ++k) {
    out[i] += in[i] * coefficients[k];  // cause
  }
}

int main() {
  filter<<<kItems / 256, 256>>>(zeros<float>(kItems), zeros<float>(kTerms), zeros<float>(kItems));
  return finish();
}
