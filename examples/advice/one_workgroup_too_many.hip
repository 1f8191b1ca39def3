// One large workgroup more than fit the device: it runs alone after all others. FIXED: small
// workgroups share the work evenly.
#include "../checks/memory.hpp"

constexpr int kLargest = 1024;
#ifdef FIXED
constexpr int kGroup = 256;
#else
constexpr int kGroup = kLargest;
#endif

__global__ __launch_bounds__(kGroup) void chain(float* a, int steps) {
  const int i = blockIdx.x * kGroup + threadIdx.x;  // cause
  float x = a[i];
#pragma unroll 4
  for (int k = 0; k < steps; ++k) x = x * 0.5f + 1.0f;
  a[i] = x;
}

int main() {
  hipDeviceProp_t device;
  HIP_CHECK(hipGetDeviceProperties(&device, 0));
  const int fit = device.maxThreadsPerMultiProcessor / kLargest * device.multiProcessorCount;
  const int items = (fit + 1) * kLargest;
  chain<<<items / kGroup, kGroup>>>(zeros<float>(items), 1024);
  return finish();
}
