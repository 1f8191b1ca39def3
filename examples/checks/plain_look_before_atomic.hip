// A plain load decides whether an atomic is worth it. FIXED: the look is an atomic load.
#include "memory.hpp"

__global__ void largest(int* most, const int* in) {
  const int value = in[blockIdx.x * 64 + threadIdx.x];
#ifdef FIXED
  if (__hip_atomic_load(most, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < value)
#else
  if (*most < value)
#endif
    atomicMax(most, value);
}

int main() {
  int* const in = zeros<int>(1024);
  HIP_CHECK(hipMemset(in, 1, 1024 * sizeof(int)));
  largest<<<16, 64>>>(zeros<int>(1), in);
  return finish();
}
