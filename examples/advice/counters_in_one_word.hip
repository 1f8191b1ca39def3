// All lanes of a workgroup add to the same counter in LDS. FIXED: each lane has its own, and they are
// added up at the end.
#include "../checks/memory.hpp"

constexpr int kGroups = 416;

__global__ void count(const unsigned* in, unsigned* out, int steps) {
#ifdef FIXED
  __shared__ unsigned counters[2][256];
  const unsigned column = threadIdx.x;
  counters[0][column] = counters[1][column] = 0;
#else
  __shared__ unsigned counters[2][1];
  const unsigned column = 0;
  if (threadIdx.x < 2) counters[threadIdx.x][0] = 0;
#endif
  __syncthreads();
  unsigned value = in[blockIdx.x * 256 + threadIdx.x] + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    value = value * 1664525u + 1013904223u;
    atomicAdd(&counters[value >> 8 & 1][column], value >> 30);  // cause
  }
  __syncthreads();
  if (threadIdx.x >= 2) return;
  unsigned sum = 0;
  for (const unsigned one : counters[threadIdx.x]) sum += one;
  out[blockIdx.x * 2 + threadIdx.x] = sum;
}

int main() {
  count<<<kGroups, 256>>>(zeros<unsigned>(kGroups * 256), zeros<unsigned>(kGroups * 2), 64);
  return finish();
}
