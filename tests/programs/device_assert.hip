// A failed assert in a kernel: prints where, and the program ends with the signal of abort().
#include <cassert>

#include "common/check.hpp"

__global__ void check_positive(const int* a) { assert(a[threadIdx.x] > 0); }

int main() {
  std::vector<int> values(64, 1);
  values[7] = -1;
  example::DeviceArray<int> a(values);
  check_positive<<<1, 64>>>(a.data());
  std::printf("error: %s\n", hipGetErrorName(hipDeviceSynchronize()));
  return 0;
}
