// Kernels near a roof of the device, for which there is little to advise: streams at the bandwidth
// of memory, chains at the rate of the matrix unit, the VALU and the LDS.
#include "../../examples/checks/memory.hpp"

using Floats = __attribute__((ext_vector_type(4))) float;
using Sums = __attribute__((ext_vector_type(16))) float;

__global__ void triad(const float4* __restrict__ b, const float4* __restrict__ c, float4* a,
                      int count) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) {
    const float4 x = b[i], y = c[i];
    a[i] = {x.x + 3 * y.x, x.y + 3 * y.y, x.z + 3 * y.z, x.w + 3 * y.w};
  }
}

__global__ void reduction(const float4* __restrict__ in, float* sums, int count) {
  __shared__ float part[4];
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) {
    const float4 x = in[i];
    sum += x.x + x.y + x.z + x.w;
  }
  for (int width = 32; width > 0; width /= 2) sum += __shfl_down(sum, width);
  if (threadIdx.x % 64 == 0) part[threadIdx.x / 64] = sum;
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}

/// Tiles of 32 by 32, with rows padded by a word.
__global__ __launch_bounds__(256) void transpose(const float* __restrict__ in, float* out, int n) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  const int column = blockIdx.x * 32, row = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8) tile[y + k][x] = in[(row + y + k) * n + column + x];
  __syncthreads();
  for (int k = 0; k < 32; k += 8) out[(column + y + k) * n + row + x] = tile[x][y + k];
}

__global__ __launch_bounds__(256) void matrices(float* out, int steps) {
  Sums sums[2] = {};
  float a = threadIdx.x, b = 2;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      for (Sums& sum : sums) sum = __builtin_amdgcn_mfma_f32_32x32x2f32(a, b, sum, 0, 0, 0);
    }
  }
  for (int j = 0; j < 16; ++j) {
    out[(blockIdx.x * 16 + j) * 256 + threadIdx.x] = sums[0][j] + sums[1][j];
  }
}

__global__ __launch_bounds__(256) void doubles(double* out, int steps) {
  double x[8];
  for (double& one : x) one = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      for (double& one : x) one = one * 0.5 + 1.0;
    }
  }
  double sum = 0;
  for (const double one : x) sum += one;
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ __launch_bounds__(256) void local(float* out, int steps) {
  __shared__ Floats all[512];
  for (int i = threadIdx.x; i < 512; i += 256) all[i] = float(i);
  __syncthreads();
  Floats sum = 0;
  int at = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
#pragma unroll
    for (int j = 0; j < 4; ++j) sum += all[(at + j * 128) % 512];
    at = (at + 64) % 512;
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}

int main() {
  hipDeviceProp_t device;
  HIP_CHECK(hipGetDeviceProperties(&device, 0));
  const int full = 8 * device.multiProcessorCount;
  constexpr int kItems = 4 << 20, kEdge = 4096;
  triad<<<full, 256>>>(zeros<float4>(kItems), zeros<float4>(kItems), zeros<float4>(kItems), kItems);
  reduction<<<full, 256>>>(zeros<float4>(2 * std::size_t{kItems}), zeros<float>(full), 2 * kItems);
  transpose<<<dim3(kEdge / 32, kEdge / 32), 256>>>(zeros<float>(kEdge * kEdge),
                                                   zeros<float>(kEdge * kEdge), kEdge);
  matrices<<<full, 256>>>(zeros<float>(full * 16 * 256), 64);
  doubles<<<full, 256>>>(zeros<double>(full * 256), 192);
  local<<<full, 256>>>(zeros<float>(full * 256), 192);
  return finish();
}
