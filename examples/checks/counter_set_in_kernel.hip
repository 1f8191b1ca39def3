// One workgroup sets a counter to 0 while others count. FIXED: the host has set it before.
#include "memory.hpp"

__global__ void count(int* counter) {
#ifndef FIXED
  if (blockIdx.x == 0 && threadIdx.x == 0) *counter = 0;
#endif
  atomicAdd(counter, 1);
}

int main() {
  count<<<8, 128>>>(zeros<int>(1));
  return finish();
}
