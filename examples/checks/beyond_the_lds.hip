// The kernel uses more LDS than its launch gives. FIXED: the launch gives enough.
#include "memory.hpp"

__global__ void shift(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x + 1] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[64 - threadIdx.x];
}

int main() {
#ifdef FIXED
  const std::size_t bytes = 65 * sizeof(int);
#else
  const std::size_t bytes = 64 * sizeof(int);
#endif
  shift<<<1, 64, bytes>>>(zeros<int>(64));
  return finish();
}
