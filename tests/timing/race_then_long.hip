// A race, then a kernel that takes hours: what an interruption must not lose.
#include "common/check.hpp"

__global__ void race(int* sum) { *sum += threadIdx.x; }

__global__ void for_hours(int* sum) {
  int value = threadIdx.x;
  for (long i = 0; i < 1L << 40; ++i) value = value * 1664525 + *static_cast<volatile int*>(sum);
  sum[threadIdx.x] = value;
}

int main() {
  int* sum = nullptr;
  HIP_CHECK(hipMalloc(&sum, 64 * sizeof(int)));
  HIP_CHECK(hipMemset(sum, 0, 64 * sizeof(int)));
  race<<<2, 64>>>(sum);
  for_hours<<<1, 64>>>(sum);
  HIP_CHECK(hipDeviceSynchronize());
}
