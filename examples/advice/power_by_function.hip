// A square by pow. FIXED: a multiplication.
#include "../checks/memory.hpp"

constexpr int kGroups = 608;

__global__ void squares(float* a, float exponent, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i] + 0.5f, sum = 0;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
#ifdef FIXED
    sum += x * x;
#else
    sum += powf(x, exponent);  // cause
#endif
    x = x * 0.9f + 0.1f;
  }
  a[i] = sum;
}

int main() {
  squares<<<kGroups, 256>>>(zeros<float>(kGroups * 256), 2.0f, 48);
  return finish();
}
