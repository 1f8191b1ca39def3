// A workgroup for each 64 numbers, of which each takes the dispatcher longer to start than the wave
// to do its work. FIXED: few workgroups, each with a loop.
#include "../checks/memory.hpp"

constexpr int kItems = 1 << 21;

__global__ void mark(unsigned char* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // cause
#ifdef FIXED
#pragma unroll 1
  for (; i < count; i += gridDim.x * blockDim.x) out[i] = 1;
#else
  if (i < count) out[i] = 1;
#endif
}

int main() {
#ifdef FIXED
  mark<<<832, 256>>>(zeros<unsigned char>(kItems), kItems);
#else
  mark<<<kItems / 64, 64>>>(zeros<unsigned char>(kItems), kItems);
#endif
  return finish();
}
