// The compiler is told that one wave on a SIMD is enough, and gives it all registers: nothing hides
// the latency of memory. FIXED: it is not told so.
#include "../checks/memory.hpp"

constexpr int kItems = 1216 * 256, kSteps = 16;
#ifdef FIXED
#define WAVES
#else
#define WAVES __attribute__((amdgpu_waves_per_eu(1, 1)))
#endif

__global__ __launch_bounds__(256) WAVES void follow(const int* next, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // cause
  int at = i;
  for (int k = 0; k < n; ++k) at = (next[at] + at + 8192) % kItems;
  out[i] = at;
}

int main() {
  follow<<<kItems / 256, 256>>>(zeros<int>(kItems), zeros<int>(kItems), kSteps);
  return finish();
}
