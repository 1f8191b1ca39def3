// The body of a loop is longer than the instruction cache. FIXED: it is short, and runs more often.
#include "../checks/memory.hpp"

constexpr int kGroups = 416;
#ifdef FIXED
constexpr int kUnroll = 64;
#else
constexpr int kUnroll = 16384;
#endif
constexpr int kSteps = 4 * 16384;

__global__ __launch_bounds__(64) void chain(float* a, int steps) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  float x = a[i], y = 1;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
#pragma unroll
    for (int j = 0; j < kUnroll; ++j) {
      x = x * y + 0.5f;  // cause
    }
    y = y * 0.5f;
  }
  a[i] = x + y;
}

int main() {
  chain<<<kGroups, 64>>>(zeros<float>(kGroups * 64), kSteps / kUnroll);
  return finish();
}
