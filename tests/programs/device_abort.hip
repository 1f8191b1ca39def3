// abort() in a kernel ends the program.
#include "common/check.hpp"

__global__ void give_up(int lane) {
  if (static_cast<int>(threadIdx.x) == lane) abort();
}

int main() {
  give_up<<<1, 64>>>(3);
  std::printf("error: %s\n", hipGetErrorName(hipDeviceSynchronize()));
  return 0;
}
