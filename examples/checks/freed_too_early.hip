// The host frees memory before it launches the kernel that uses it. FIXED: afterwards.
#include "memory.hpp"

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
  int* const memory = zeros<int>(64);
#ifdef FIXED
  fill<<<1, 64>>>(memory);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFree(memory));
#else
  HIP_CHECK(hipFree(memory));
  fill<<<1, 64>>>(memory);
#endif
  return finish();
}
