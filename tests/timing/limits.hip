// Kernels that are each held up by something else, and beside each the same work without it. What
// `wavetank profile` has to say of them is in check.py.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

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
constexpr int kRowsOfAColumn = 1024;

// Bits of an address whose parities tell the channel of an L2, where AMD's address translation for
// Linux (drivers/ras/amd/atl) has those of memory.
using Masks = std::vector<std::uint64_t>;
const Masks kMi200 = {0x40210100, 0x80420200, 0x100840400, 0x201080800, 0x402101000};
const Masks kMi300 = {0x81020409100, 0x102040812200, 0x204081024400, 0x408102040800};

// Floats from a matrix to its rows: the first that begin in one channel, or all at 8 KiB.
std::vector<int> rows_in_one_channel(const Masks& masks) {
  std::vector<int> rows;
  for (int block = 0; rows.size() < kRowsOfAColumn; ++block) {
    const std::uint64_t offset = block * std::uint64_t{256};
    if (std::ranges::none_of(masks,
                             [&](std::uint64_t m) { return __builtin_parityll(offset & m); }))
      rows.push_back(block * 64);
  }
  return rows;
}
std::vector<int> rows_in_all_channels() {
  std::vector<int> rows(kRowsOfAColumn);
  for (int row = 0; row < kRowsOfAColumn; ++row) rows[row] = row * (32 * 64);
  return rows;
}

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

// All lanes march along rows that begin in one channel of the L2, or in all of them evenly.
__device__ void walk_rows(const float* matrix, const int* rows, float* sums) {
  walk(matrix + rows[(blockIdx.x * kWave + threadIdx.x) % kRowsOfAColumn], sums, 4 * kSteps);
}
__global__ void columns_in_few_channels(const float* matrix, const int* rows, float* sums) {
  walk_rows(matrix, rows, sums);
}
__global__ void columns_in_all_channels(const float* matrix, const int* rows, float* sums) {
  walk_rows(matrix, rows, sums);
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
  int* rows;
  HIP_CHECK(hipMalloc(&matrix, kPageFloats / 8 * sizeof(float) * kRows));
  // The parities of a sum are those of its terms where no bit is carried.
  constexpr std::uintptr_t kAlignment = std::uintptr_t{16} << 20;
  const auto* aligned = reinterpret_cast<const float*>(
      (reinterpret_cast<std::uintptr_t>(matrix) + kAlignment - 1) & ~(kAlignment - 1));
  HIP_CHECK(hipMalloc(&array, kElements * sizeof(float)));
  HIP_CHECK(hipMalloc(&counters, groups * 8 * 256 * sizeof(unsigned)));
  rows_in_pages<<<groups, kWave>>>(matrix, array);
  rows_in_few_pages<<<groups, kWave>>>(matrix, array);
  rows_in_one_bank<<<groups, kWave>>>(matrix, array);
  const bool is_mi200 = std::string_view(device.gcnArchName).starts_with("gfx90a");
  const std::vector<int> few = rows_in_one_channel(is_mi200 ? kMi200 : kMi300);
  const std::vector<int> all = rows_in_all_channels();
  const std::size_t row_bytes = kRowsOfAColumn * sizeof(int);
  HIP_CHECK(hipMalloc(&rows, row_bytes));
  HIP_CHECK(hipMemcpy(rows, few.data(), row_bytes, hipMemcpyHostToDevice));
  columns_in_few_channels<<<4 * groups, kWave>>>(aligned, rows, array);
  HIP_CHECK(hipMemcpy(rows, all.data(), row_bytes, hipMemcpyHostToDevice));
  columns_in_all_channels<<<4 * groups, kWave>>>(aligned, rows, array);
  one_line<<<groups / 4, 256>>>(counters);
  many_counters<<<groups / 4, 256>>>(counters);
  an_element_each<<<kElements / kWave, kWave>>>(array);
  a_loop_each<<<groups, 256>>>(array, kElements);
  for (int i = 0; i < 100; ++i) small<<<1, kWave>>>(array);
  HIP_CHECK(hipDeviceSynchronize());
}
