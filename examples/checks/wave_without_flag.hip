// One wave hands data to another one of its workgroup in LDS. FIXED: by a flag that this one waits
// for.
#include "memory.hpp"

__global__ void hand_over(int* out) {
  __shared__ int data[64];
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  const int lane = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    data[lane] = lane;
#ifdef FIXED
    __hip_atomic_store(&flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
  } else {
    while (__hip_atomic_load(&flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) == 0) {
    }
#else
  } else {
#endif
    out[lane] = data[63 - lane];
  }
}

int main() {
  hand_over<<<1, 128>>>(zeros<int>(64));
  return finish();
}
