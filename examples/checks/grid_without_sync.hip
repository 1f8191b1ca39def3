// Workgroups read what others store in the same launch. FIXED: after the whole grid has met.
#include "memory.hpp"

#include <hip/hip_cooperative_groups.h>

__global__ void reverse(int* scratch, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[i] = static_cast<int>(i);
#ifdef FIXED
  cooperative_groups::this_grid().sync();
#else
  __syncthreads();
#endif
  out[i] = scratch[1023 - i];
}

int main() {
  int* scratch = zeros<int>(1024);
  int* out = zeros<int>(1024);
  void* arguments[] = {&scratch, &out};
  HIP_CHECK(hipLaunchCooperativeKernel(reinterpret_cast<void*>(reverse), dim3(8), dim3(128),
                                       arguments, 0, nullptr));
  return finish();
}
