// Work-items read what other waves of their workgroup store. FIXED: after a barrier.
#include "memory.hpp"

__global__ void reverse(int* scratch, int* out) {
  const int i = threadIdx.x;
  scratch[i] = i;
#ifdef FIXED
  __syncthreads();
#endif
  out[i] = scratch[255 - i];
}

int main() {
  reverse<<<1, 256>>>(zeros<int>(256), zeros<int>(256));
  return finish();
}
