// A flag between workgroups, with fences that reach no farther than one. FIXED: of the device.
#include "memory.hpp"

#ifdef FIXED
#define FENCE __threadfence
#else
#define FENCE __threadfence_block
#endif

__global__ void hand_over(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    FENCE();
    __hip_atomic_store(flag, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
    FENCE();
    *out = *data;
  }
}

int main() {
  hand_over<<<2, 64>>>(zeros<int>(1), zeros<int>(1), zeros<int>(1));
  return finish();
}
