// The host stores to managed memory that a kernel under way reads. FIXED: after the kernel.
#include "memory.hpp"

__global__ void copy(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

int main() {
  int* shared = nullptr;
  int* const result = zeros<int>(1024);
  HIP_CHECK(hipMallocManaged(&shared, 4096));
  for (int i = 0; i < 1024; ++i) shared[i] = i;
  copy<<<4, 256>>>(shared, result);
#ifdef FIXED
  HIP_CHECK(hipDeviceSynchronize());
#endif
  shared[1000] = 7;
  return finish();
}
