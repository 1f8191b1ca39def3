// The last workgroup to finish adds what the others left. FIXED: they leave it behind a fence.
#include "memory.hpp"

__global__ void sum(const int* in, int* parts, unsigned* finished, int* total) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = in[blockIdx.x];
#ifdef FIXED
    __threadfence();
#endif
    is_last = atomicAdd(finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < gridDim.x; ++i) *total += parts[i];
  }
}

int main() {
  sum<<<32, 128>>>(zeros<int>(32), zeros<int>(32), zeros<unsigned>(1), zeros<int>(1));
  return finish();
}
