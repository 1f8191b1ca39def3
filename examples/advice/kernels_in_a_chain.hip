// Two small kernels, of which the second reads what the first wrote. FIXED: one does both.
#include "../checks/memory.hpp"

constexpr int kItems = 304 * 256;

#ifdef FIXED
__global__ void both(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + 2 * b[i] - a[i] * b[i];
}
#else
__global__ void first(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // cause
  c[i] = a[i] + 2 * b[i];
}
__global__ void second(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = c[i] - a[i] * b[i];
}
#endif

int main() {
  const float *const a = zeros<float>(kItems), *const b = zeros<float>(kItems);
  float* const c = zeros<float>(kItems);
#ifdef FIXED
  both<<<kItems / 256, 256>>>(a, b, c);
#else
  first<<<kItems / 256, 256>>>(a, b, c);
  second<<<kItems / 256, 256>>>(a, b, c);
#endif
  return finish();
}
