// A workgroup of 128 is launched with 48 KiB of LDS, of which it needs a part: one fits on a CU.
// FIXED: it is launched with what it needs.
#include "../checks/memory.hpp"

constexpr int kItems = 2432 * 128, kSteps = 16;
#ifdef FIXED
constexpr int kBytes = 128 * sizeof(int);
#else
constexpr int kBytes = 48 * 1024;
#endif

__global__ void follow(const int* next, int* out, int steps) {
  extern __shared__ int last[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // cause
  int at = i;
  for (int k = 0; k < steps; ++k) {
    at = (next[at] + at + 8192) % kItems;
    last[threadIdx.x] = at;
  }
  out[i] = last[threadIdx.x];
}

int main() {
  follow<<<kItems / 128, 128, kBytes>>>(zeros<int>(kItems), zeros<int>(kItems), kSteps);
  return finish();
}
