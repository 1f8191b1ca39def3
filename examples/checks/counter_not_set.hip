// Work-items count in memory that nobody has set to zero. FIXED: hipMemset does.
#include "memory.hpp"

__global__ void count_odd(const int* in, int* odd) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] & 1) atomicAdd(odd, 1);
}

int main() {
  int* odd = nullptr;
  HIP_CHECK(hipMalloc(&odd, sizeof *odd));
  int* const in = zeros<int>(256);
  HIP_CHECK(hipMemset(in, 1, 256 * sizeof *in));
#ifdef FIXED
  HIP_CHECK(hipMemset(odd, 0, sizeof *odd));
#endif
  count_odd<<<4, 64>>>(in, odd);
  return finish();
}
