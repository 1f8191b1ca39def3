// The clocks of the device run forward, within a wave and across a wait.
#include "common/check.hpp"

__global__ void read_clocks(long long* out) {
  const long long shader_start = clock64();
  const unsigned long long wall_start = __builtin_amdgcn_s_memrealtime();
  volatile int spin = 0;
  for (int i = 0; i < 1000; ++i) spin = spin + i;
  out[0] = clock64() - shader_start;
  out[1] = __builtin_amdgcn_s_memrealtime() - wall_start;
}

int main() {
  example::DeviceArray<long long> device(2);
  device.clear();
  read_clocks<<<1, 1>>>(device.data());
  example::finish_kernel();
  const std::vector<long long> out = device.read();
  return example::verdict(out[0] > 0 && out[1] >= 0);
}
