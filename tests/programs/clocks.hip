// The clocks of the device run forward, within a wave and across a wait.
#include "common/check.hpp"

// What wall_clock64() of HIP 6's headers calls, whatever device libraries there are.
extern "C" __device__ unsigned long long __ockl_steadyctr_u64();

__global__ void read_clocks(long long* out) {
  const long long shader_start = clock64();
  const unsigned long long wall_start = __builtin_amdgcn_s_memrealtime();
  volatile int spin = 0;
  for (int i = 0; i < 1000; ++i) spin = spin + i;
  out[0] = clock64() - shader_start;
  const unsigned long long wall_end = __ockl_steadyctr_u64();
  out[1] = wall_end - wall_start;
  out[2] = __builtin_amdgcn_s_memrealtime() - wall_end;
}

int main() {
  example::DeviceArray<long long> device(3);
  device.clear();
  read_clocks<<<1, 1>>>(device.data());
  example::finish_kernel();
  const std::vector<long long> out = device.read();
  return example::verdict(out[0] > 0 && out[1] >= 0 && out[2] >= 0);
}
