// A histogram with atomics: all workgroups on one table in memory, then a table in the LDS of
// each workgroup that is added to the result at the end, which takes the contention away.
#include "../common/check.hpp"

constexpr int kBins = 256;
constexpr int kBlock = 256;

__global__ void global_atomics(const unsigned char* data, unsigned* bins, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&bins[data[i]], 1u);
}

__global__ void lds_atomics(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned own[kBins];
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x)
    if (own[bin] != 0) atomicAdd(&bins[bin], own[bin]);
}

int main(int argc, char** argv) {
  const int n = example::size_argument(argc, argv, 1'000'000);
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(kBins, 0);
  unsigned state = 1;
  for (unsigned char& value : data) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
    value = static_cast<unsigned char>((state >> 24) & (state >> 16));  // small values more often
    ++expected[value];
  }
  example::DeviceArray<unsigned char> device_data(data);
  example::DeviceArray<unsigned> device_bins(kBins);

  const auto right = [&](void (*kernel)(const unsigned char*, unsigned*, int)) {
    device_bins.clear();
    kernel<<<208, kBlock>>>(device_data.data(), device_bins.data(), n);
    example::finish_kernel();
    return device_bins.read() == expected;
  };
  std::printf("histogram of %d bytes\n", n);
  const bool in_memory = example::line("atomics in memory", right(global_atomics));
  const bool in_lds = example::line("atomics in the LDS", right(lds_atomics));
  return example::verdict(in_memory && in_lds);
}
