// The remainder of a division by a variable, in a loop. FIXED: the divisor is a power of two, which
// the host knows, and a mask does it.
#include "../checks/memory.hpp"

constexpr int kGroups = 1216;

__global__ void mix(unsigned* a, unsigned buckets, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = a[i] + i, sum = 0;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    x = x * 1664525u + (buckets ^= x);
#ifdef FIXED
    sum += x & (buckets - 1);
#else
    sum += x % buckets;  // cause
#endif
  }
  a[i] = sum;
}

int main() {
  mix<<<kGroups, 256>>>(zeros<unsigned>(kGroups * 256), 1024, 96);
  return finish();
}
