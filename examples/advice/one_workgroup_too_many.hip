// One workgroup more than fit the device: it runs alone after all others. FIXED: the same work in
// workgroups of a quarter's length.
#include "../checks/memory.hpp"

#ifdef FIXED
constexpr int kParts = 4;
#else
constexpr int kParts = 1;
#endif

__global__ void chain(float* a, int steps) {
  extern __shared__ float whole_lds[];
  whole_lds[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];  // cause
  float x = whole_lds[threadIdx.x];
#pragma unroll 4
  for (int k = 0; k < steps; ++k) x = x * 0.5f + 1.0f;
  a[blockIdx.x * 256 + threadIdx.x] = x;
}

int main() {
  hipDeviceProp_t device;
  HIP_CHECK(hipGetDeviceProperties(&device, 0));
  const int groups = (device.multiProcessorCount + 1) * kParts;
  chain<<<groups, 256, 64 * 1024>>>(zeros<float>(groups * 256), 2048 / kParts);
  return finish();
}
