// Sixteen workgroups do all the work of a device with hundreds of CUs. FIXED: there are enough.
#include "../checks/memory.hpp"

constexpr int kItems = 304 * 1024;
#ifdef FIXED
constexpr int kGroups = 1216;
#else
constexpr int kGroups = 16;
#endif

__global__ void waves(float* a) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kItems; i += gridDim.x * blockDim.x) {  // cause
    float x = a[i];
    for (int k = 0; k < 8; ++k) x = x * 0.5f + 1.0f;
    a[i] = x;
  }
}

int main() {
  waves<<<kGroups, 256>>>(zeros<float>(kItems));
  return finish();
}
