// Each lane walks a row in a page of its own: the most time goes into translations. FIXED: the rows
// of eight lanes share a page.
#include "../checks/memory.hpp"

constexpr int kGroups = 416, kSteps = 4, kOdd = 1024 + 64;
constexpr std::size_t kPage = (2u << 20) / sizeof(float);
#ifdef FIXED
constexpr std::size_t kPitch = kPage / 8 + kOdd;
#else
constexpr std::size_t kPitch = kPage + kOdd;
#endif

__global__ __launch_bounds__(64) void walk(const float* in, float* out, int steps) {
  const float* const row = in + threadIdx.x * kPitch + blockIdx.x * kSteps * 32;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) sum += row[k * 32];  // cause
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

int main() {
  walk<<<kGroups, 64>>>(zeros<float>(64 * kPitch + kGroups * kSteps * 32), zeros<float>(kGroups * 64),
                        kSteps);
  return finish();
}
