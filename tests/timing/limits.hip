// Kernels that are each held up by something else, and beside each the same work without it. What
// `wavetank profile` has to say of them is in check.py.
#include <hip/hip_runtime.h>

#include "common/check.hpp"

namespace {

constexpr int kWave = 64;
constexpr std::size_t kPageFloats = (2u << 20) / sizeof(float);

__device__ void walk(const float* row, float* sums, int steps) {
  float sum = 0;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) sum += row[step * 32];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

constexpr int kSteps = 4, kOdd = 1024 + 64;

}  // namespace

// Each lane walks a row of a matrix, each wave through columns of its own: the 64 lanes in as many
// pages, or in eight. The odd pitch spreads the rows over channels and banks.
__global__ void rows_in_pages(const float* matrix, float* sums) {
  walk(matrix + threadIdx.x * (kPageFloats + kOdd) + blockIdx.x * kSteps * 32, sums, kSteps);
}
__global__ void rows_in_few_pages(const float* matrix, float* sums) {
  walk(matrix + threadIdx.x * (kPageFloats / 8 + kOdd) + blockIdx.x * kSteps * 32, sums, kSteps);
}
// The same number of steps in rows that all meet in one bank of each channel.
constexpr int kRows = 64 * kWave;
__global__ void rows_in_one_bank(const float* matrix, float* sums) {
  const int walker = blockIdx.x * kWave + threadIdx.x;
  const int row = walker % kRows, column = walker / kRows * kSteps * 32;
  walk(matrix + row * (kPageFloats / 8) + column, sums, kSteps);
}

// All lanes march along rows of which a column lies in few channels of the L2, or in all of them.
__global__ void columns_in_few_channels(const float* matrix, float* sums) {
  walk(matrix + (blockIdx.x * kWave + threadIdx.x) % 1024 * (33 * 64), sums, 4 * kSteps);
}
__global__ void columns_in_all_channels(const float* matrix, float* sums) {
  walk(matrix + (blockIdx.x * kWave + threadIdx.x) % 1024 * (32 * 64), sums, 4 * kSteps);
}

// All add to the same few numbers, which lie in one line, or each to its own.
__global__ void one_line(unsigned* counters) {
  for (int i = 0; i < 8; ++i) atomicAdd(counters + threadIdx.x % 16, 1);
}
__global__ void many_counters(unsigned* counters) {
  for (int i = 0; i < 8; ++i) {
    atomicAdd(counters + (blockIdx.x * 8 + i) * blockDim.x + threadIdx.x, 1);
  }
}

// Less work than it takes to start a workgroup, and the same number of elements in a loop.
__global__ void an_element_each(float* array) { array[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void a_loop_each(float* array, int elements) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x) {
    array[i] = 1;
  }
}

// Launched again and again.
__global__ void small(float* array) { array[threadIdx.x] += 1; }

int main() {
  constexpr int kElements = 20000 * kWave;
  hipDeviceProp_t device;
  HIP_CHECK(hipGetDeviceProperties(&device, 0));
  const int groups = 4 * device.multiProcessorCount;
  float *matrix, *array;
  unsigned* counters;
  HIP_CHECK(hipMalloc(&matrix, kPageFloats / 8 * sizeof(float) * kRows));
  HIP_CHECK(hipMalloc(&array, kElements * sizeof(float)));
  HIP_CHECK(hipMalloc(&counters, groups * 8 * 256 * sizeof(unsigned)));
  rows_in_pages<<<groups, kWave>>>(matrix, array);
  rows_in_few_pages<<<groups, kWave>>>(matrix, array);
  rows_in_one_bank<<<groups, kWave>>>(matrix, array);
  columns_in_few_channels<<<4 * groups, kWave>>>(matrix, array);
  columns_in_all_channels<<<4 * groups, kWave>>>(matrix, array);
  one_line<<<groups / 4, 256>>>(counters);
  many_counters<<<groups / 4, 256>>>(counters);
  an_element_each<<<kElements / kWave, kWave>>>(array);
  a_loop_each<<<groups, 256>>>(array, kElements);
  for (int i = 0; i < 100; ++i) small<<<1, kWave>>>(array);
  HIP_CHECK(hipDeviceSynchronize());
}
