// A literal without an f makes a float expression double. FIXED: it has its f.
#include "../checks/memory.hpp"

#ifdef FIXED
#define LITERAL(x) x##f
#else
#define LITERAL(x) x
#endif

constexpr int kGroups = 1216;

__global__ void polynomial(float* a, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
#pragma unroll 4
  for (int k = 0; k < steps; ++k) {
    x = LITERAL(0.3) * x * x + LITERAL(0.7);  // cause
  }
  a[i] = x;
}

int main() {
  polynomial<<<kGroups, 256>>>(zeros<float>(kGroups * 256), 384);
  return finish();
}
