// A store goes past the end of a variable, into the next one. FIXED: it stays inside.
#include "memory.hpp"

__device__ int first[64];
__device__ int second[64];

#ifdef FIXED
constexpr unsigned kMost = 64;
#else
constexpr unsigned kMost = 65;
#endif

__global__ void fill(unsigned count) {
  if (threadIdx.x < count) first[threadIdx.x] = second[threadIdx.x % 64] + 1;
}

int main() {
  fill<<<1, 128>>>(kMost);
  return finish();
}
