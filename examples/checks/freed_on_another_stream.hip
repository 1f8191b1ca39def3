// Memory of a pool is freed on one stream while another one uses it. FIXED: on the one that does.
#include "memory.hpp"

__global__ void fill(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
  hipStream_t owner, user;
  HIP_CHECK(hipStreamCreate(&owner));
  HIP_CHECK(hipStreamCreate(&user));
  void* memory = nullptr;
  HIP_CHECK(hipMallocAsync(&memory, 4096, owner));
  HIP_CHECK(hipStreamSynchronize(owner));
  fill<<<4, 256, 0, user>>>(static_cast<int*>(memory));
#ifdef FIXED
  HIP_CHECK(hipFreeAsync(memory, user));
#else
  HIP_CHECK(hipFreeAsync(memory, owner));
#endif
  return finish();
}
