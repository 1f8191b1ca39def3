// All waves count in LDS, and one looks at the counter without a barrier. FIXED: with one.
#include "memory.hpp"

__global__ void count_even(const int* in, int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  if (in[threadIdx.x] % 2 == 0) atomicAdd(&counter, 1);
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == 255) *out = counter;
}

int main() {
  count_even<<<1, 256>>>(zeros<int>(256), zeros<int>(1));
  return finish();
}
