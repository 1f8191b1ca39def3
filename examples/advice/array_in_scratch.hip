// A small array is indexed by a variable, so that it lies in scratch memory. FIXED: it lies in LDS.
#include "../checks/memory.hpp"

constexpr int kGroups = 1216, kOwn = 64;

__global__ __launch_bounds__(64) void count(const int* in, int* out, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  __shared__ int all[kOwn][64];
#define OWN(index) all[index][threadIdx.x]
#else
  int own[kOwn];
#define OWN(index) own[index]
#endif
  for (int b = 0; b < kOwn; ++b) OWN(b) = b;
  int bin = in[i];
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    bin = (bin * 5 + OWN(bin)++) % kOwn;  // cause
  }
  out[i] = bin;
}

int main() {
  count<<<kGroups, 64>>>(zeros<int>(kGroups * 64), zeros<int>(kGroups * 64), 64);
  return finish();
}
