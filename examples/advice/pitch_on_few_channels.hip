// The lanes march along rows of a matrix, of which a column lies in few channels of the L2. FIXED:
// another pitch spreads it over all.
#include "../checks/memory.hpp"

constexpr int kGroups = 4864, kRows = 1024, kSteps = 16;
#ifdef FIXED
constexpr int kPitch = 32 * 64;
#else
constexpr int kPitch = 33 * 64;
#endif

__global__ __launch_bounds__(64) void march(const float* in, float* out, int steps) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float* const row = in + i % kRows * kPitch;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) sum += row[k * 32];  // cause
  out[i] = sum;
}

int main() {
  march<<<kGroups, 64>>>(zeros<float>(std::size_t{kRows} * kPitch), zeros<float>(kGroups * 64),
                         kSteps);
  return finish();
}
