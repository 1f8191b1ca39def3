// A kernel that faults while the host is inside stdout: what was printed must still be seen.
#include "common/check.hpp"

#include <unistd.h>

__global__ void store_far_away(int* a, size_t distance) { a[distance] = 1; }

int main() {
  constexpr useconds_t kLongerThanTheLaunch_us = 300'000;
  example::DeviceArray<int> a(256);
  flockfile(stdout);
  std::printf("printed before the fault\n");
  store_far_away<<<1, 1>>>(a.data(), size_t{1} << 38);
  usleep(kLongerThanTheLaunch_us);
  funlockfile(stdout);
  const hipError_t error = hipDeviceSynchronize();
  std::printf("not reached on ROCm, whose runtime aborts: %s\n", hipGetErrorString(error));
  return 0;
}
