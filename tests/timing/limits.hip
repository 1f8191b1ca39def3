// Kernels that are each held up by something else, and beside each the same work without it. What
// `wavetank profile` has to say of them is in check.py.
#include <hip/hip_runtime.h>

#include "common/check.hpp"

namespace {

constexpr int kWave = 64;
constexpr std::size_t kPageFloats = (2u << 20) / sizeof(float);

// Each lane walks a row of a matrix, the rows so far apart.
__device__ void walk(const float* matrix, float* sums, std::size_t pitch, int steps) {
  const std::size_t row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int step = 0; step < steps; ++step) sum += matrix[row * pitch + step * 32];
  sums[row] = sum;
}

}  // namespace

// 64 pages for each load of a wave; the pitch spreads rows over channels and banks.
__global__ void rows_in_pages(const float* matrix, float* sums) {
  walk(matrix, sums, kPageFloats + 1024 + 64, 8);
}
// The same in eight pages for each wave.
__global__ void rows_in_few_pages(const float* matrix, float* sums) {
  walk(matrix, sums, kPageFloats / 8 + 1024 + 64, 8);
}
// And where all rows meet in one bank of each channel.
__global__ void rows_in_one_bank(const float* matrix, float* sums) {
  walk(matrix, sums, kPageFloats / 8, 8);
}

// All add to one number, or each to its own.
__global__ void one_counter(unsigned* counters) {
  for (int i = 0; i < 8; ++i) atomicAdd(counters, threadIdx.x);
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
  const int groups = 2 * device.multiProcessorCount;
  float *matrix, *array;
  unsigned* counters;
  HIP_CHECK(hipMalloc(&matrix, (kPageFloats + 1024 + 64) * sizeof(float) * groups * kWave));
  HIP_CHECK(hipMalloc(&array, kElements * sizeof(float)));
  HIP_CHECK(hipMalloc(&counters, groups * 8 * 256 * sizeof(unsigned)));
  rows_in_pages<<<groups, kWave>>>(matrix, array);
  rows_in_few_pages<<<groups, kWave>>>(matrix, array);
  rows_in_one_bank<<<groups, kWave>>>(matrix, array);
  one_counter<<<groups, 256>>>(counters);
  many_counters<<<groups, 256>>>(counters);
  an_element_each<<<kElements / kWave, kWave>>>(array);
  a_loop_each<<<groups, 256>>>(array, kElements);
  for (int i = 0; i < 100; ++i) small<<<1, kWave>>>(array);
  HIP_CHECK(hipDeviceSynchronize());
}
