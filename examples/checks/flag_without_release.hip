// A workgroup hands data to another by a flag, without a fence before the flag. FIXED: with one.
#include "memory.hpp"

__global__ void hand_over(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
#ifdef FIXED
    __threadfence();
#endif
    __hip_atomic_store(flag, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
    __threadfence();
    *out = *data;
  }
}

int main() {
  hand_over<<<2, 64>>>(zeros<int>(1), zeros<int>(1), zeros<int>(1));
  return finish();
}
