// All work-items add to the same few counters in memory. FIXED: each workgroup counts in LDS first.
#include "../checks/memory.hpp"

constexpr int kGroups = 608, kBins = 16;

__global__ void histogram(const unsigned* in, unsigned* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  __shared__ unsigned own[kBins];
  if (threadIdx.x < kBins) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[(in[i] + threadIdx.x) % kBins], 1u);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
#else
  atomicAdd(&bins[(in[i] + threadIdx.x) % kBins], 1u);  // cause
#endif
}

int main() {
  histogram<<<kGroups, 256>>>(zeros<unsigned>(kGroups * 256), zeros<unsigned>(kBins));
  return finish();
}
