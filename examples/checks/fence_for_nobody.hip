// A fence of the device before a barrier, which orders the workgroup anyhow. FIXED: without it.
#include "memory.hpp"

__global__ void turn_around(const int* in, int* between, int* out) {
  const unsigned first = blockIdx.x * blockDim.x;
  between[first + threadIdx.x] = in[first + threadIdx.x];
#ifndef FIXED
  __threadfence();
#endif
  __syncthreads();
  out[first + threadIdx.x] = between[first + blockDim.x - 1 - threadIdx.x];
}

int main() {
  turn_around<<<4, 256>>>(zeros<int>(1024), zeros<int>(1024), zeros<int>(1024));
  return finish();
}
