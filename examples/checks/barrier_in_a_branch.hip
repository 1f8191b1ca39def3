// Some work-items go around a barrier. FIXED: all come to it.
#include "memory.hpp"

__global__ void rotate(int* data) {
  __shared__ int tile[256];
  const int i = threadIdx.x;
  tile[i] = data[i];
#ifdef FIXED
  __syncthreads();
#else
  if (i < 100) __syncthreads();
#endif
  data[i] = tile[i] + 1;
}

int main() {
  rotate<<<1, 256>>>(zeros<int>(256));
  return finish();
}
