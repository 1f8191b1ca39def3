// A lock that is given back before what it protects is stored. FIXED: a fence lies between.
#include "memory.hpp"

__global__ void add(int* lock, int* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += 1;
#ifdef FIXED
  __threadfence();
#endif
  atomicExch(lock, 0);
}

int main() {
  add<<<16, 64>>>(zeros<int>(1), zeros<int>(1));
  return finish();
}
