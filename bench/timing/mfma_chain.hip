// Every CU busy with matrix instructions: two chains of v_mfma_f32_16x16x16f16 in each wave.
//
//   mfma_chain [workgroups of 256]
#include "common/check.hpp"

#include <cstdlib>

using Half4 = __attribute__((__vector_size__(4 * sizeof(_Float16)))) _Float16;
using Float4 = __attribute__((__vector_size__(4 * sizeof(float)))) float;

constexpr int kTrips = 500;

__global__ void chains(float* out) {
  const Half4 ones = {1, 1, 1, 1};
  Float4 a = {0, 0, 0, 0}, b = {0, 0, 0, 0};
#pragma unroll 1
  for (int trip = 0; trip < kTrips; ++trip) {
    a = __builtin_amdgcn_mfma_f32_16x16x16f16(ones, ones, a, 0, 0, 0);
    b = __builtin_amdgcn_mfma_f32_16x16x16f16(ones, ones, b, 0, 0, 0);
    a = __builtin_amdgcn_mfma_f32_16x16x16f16(ones, ones, a, 0, 0, 0);
    b = __builtin_amdgcn_mfma_f32_16x16x16f16(ones, ones, b, 0, 0, 0);
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = a[0] + b[0];
}

int main(int argc, char** argv) {
  const int groups = argc > 1 ? std::atoi(argv[1]) : 416;
  if (groups < 1) return 2;
  example::DeviceArray<float> out(size_t{256} * groups);
  chains<<<groups, 256>>>(out.data());
  HIP_CHECK(hipDeviceSynchronize());
  return out.read()[0] == kTrips * 4 * 16 ? 0 : 1;
}
