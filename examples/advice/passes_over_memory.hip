// Three kernels, each of which reads what the one before wrote to memory. FIXED: one does it all.
#include "../checks/memory.hpp"

constexpr int kGroups = 16384, kItems = kGroups * 256;

__global__ void scale(float* a, float by) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  a[i] = a[i] * by;  // cause
}

__global__ void scale_all(float* a, float x, float y, float z) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  a[i] = a[i] * x * y * z;
}

int main() {
  float* const a = zeros<float>(kItems);
#ifdef FIXED
  scale_all<<<kGroups, 256>>>(a, 2, 3, 4);
#else
  scale<<<kGroups, 256>>>(a, 2);
  scale<<<kGroups, 256>>>(a, 3);
  scale<<<kGroups, 256>>>(a, 4);
#endif
  return finish();
}
