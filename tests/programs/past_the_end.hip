// Whole waves move neighbouring dwords, until one comes to the page behind an array in the middle of
// its third strip of 16 lanes: the first lane there is named, by handlers as by compiled code.
// There is one workgroup: of several the one that faults first is named.
//
//   past_the_end load|store
#include <cstring>

#include "common/check.hpp"

__global__ void move_dwords(const float* from, float* to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + 1.0f;
}

int main(int argc, char** argv) {
  constexpr unsigned kPage = 1024, kInside = 3 * 64 + 37;  // dwords
  example::DeviceArray<float> exact(kPage), large(4 * kPage);
  float* const near_end = exact.data() + kPage - kInside;
  const bool loads = argc > 1 && std::strcmp(argv[1], "load") == 0;
  if (loads) move_dwords<<<1, 256>>>(near_end, large.data());
  else move_dwords<<<1, 256>>>(large.data(), near_end);
  const hipError_t error = hipDeviceSynchronize();
  std::printf("not reached on ROCm, whose runtime aborts: %s\n", hipGetErrorString(error));
  return 0;
}
