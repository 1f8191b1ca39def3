// A grid whose first half does little: the others go around their loops four times as often.
#include "common/check.hpp"

constexpr int kGroups = 49152, kBlock = 64;

__global__ void uneven(float* out) {
  __shared__ float some[4096];  // so that few workgroups are on a CU
  float value = threadIdx.x;
  const int rounds = blockIdx.x < kGroups / 2 ? 16 : 64;
  for (int i = 0; i < rounds; ++i) value = value * 0.5f + some[threadIdx.x * (i < 0)] * 0.0f + 1.0f;
  some[threadIdx.x] = value;
  __syncthreads();
  if (blockIdx.x == 0) out[threadIdx.x] = some[kBlock - 1 - threadIdx.x];
}

int main() {
  example::DeviceArray<float> out(kBlock);
  uneven<<<kGroups, kBlock>>>(out.data());
  return example::verdict(out.read().size() == kBlock);
}
