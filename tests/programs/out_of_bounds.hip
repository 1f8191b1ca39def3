// A store far beyond an array: the kernel must end with a memory access fault that names it.
#include "common/check.hpp"

__global__ void store_far_away(int* a, size_t distance) {
  if (threadIdx.x == 5 && blockIdx.x == 1) a[distance] = 1;
}

int main() {
  example::DeviceArray<int> a(256);
  store_far_away<<<2, 64>>>(a.data(), size_t{1} << 38);
  const hipError_t error = hipDeviceSynchronize();
  std::printf("not reached on ROCm, whose runtime aborts: %s\n", hipGetErrorString(error));
  return 0;
}
