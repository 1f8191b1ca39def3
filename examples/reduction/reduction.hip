// The ladder of reductions: seven kernels that sum an array, each a step better than the last.
#include <numeric>

#include "../common/check.hpp"

constexpr int kBlock = 256;

// 1. One work-item does everything, as a CPU would.
__global__ void one_thread(int* a, int* sum, int n) {
  for (int i = 0; i < n; ++i) *sum += a[i];
}

// 2. One work-item per element; they take turns at a single address.
__global__ void atomics(int* a, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, a[i]);
}

// A tree over `elements` values: after each step half as many remain to be added.
__device__ void add_pairs(int* a, int elements, int available) {
  for (int distance = 1; distance < elements; distance *= 2) {
    __syncthreads();
    const int i = 2 * distance * static_cast<int>(threadIdx.x);
    if (i < elements && i + distance < available) a[i] += a[i + distance];
  }
}

// 3. One workgroup adds pairs, in place; it can hold two elements per work-item and no more.
__global__ void block(int* a, int* sum, int n) {
  add_pairs(a, 2 * blockDim.x, n);
  if (threadIdx.x == 0) *sum = a[0];
}

// 4. The same for any size: first each work-item gathers its share in a loop.
__global__ void grid(int* a, int* sum, int n) {
  const int elements = 2 * blockDim.x;
  for (int part = 0; part < 2; ++part) {
    const int own = threadIdx.x + part * blockDim.x;
    for (int i = own + elements; i < n; i += elements) a[own] += a[i];
  }
  add_pairs(a, elements, n);
  if (threadIdx.x == 0) *sum = a[0];
}

// 5. Many workgroups; one atomic addition each.
__global__ void grid_atomic(int* a, int* sum, int n) {
  const int elements = 2 * blockDim.x;
  const int offset = blockIdx.x * elements;
  add_pairs(a + offset, elements, n - offset);
  if (threadIdx.x == 0) atomicAdd(sum, a[offset]);
}

// 6. The tree grows in the LDS instead of global memory.
__global__ void lds(int* a, int* sum, int n) {
  __shared__ int shared[2 * kBlock];
  const int elements = 2 * blockDim.x;
  const int offset = blockIdx.x * elements;
  for (int i = threadIdx.x; i < elements; i += blockDim.x)
    shared[i] = offset + i < n ? a[offset + i] : 0;
  add_pairs(shared, elements, elements);
  if (threadIdx.x == 0) atomicAdd(sum, shared[0]);
}

// 7. Waves add in their registers; the LDS carries one value for each wave.
__global__ void shuffles(int* a, int* sum, int n) {
  __shared__ int wave_sums[kBlock / 32];
  int value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    value += a[i];
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value += __shfl_down(value, distance);
  const int wave = threadIdx.x / warpSize;
  if (threadIdx.x % warpSize == 0) wave_sums[wave] = value;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int total = 0;
  for (int i = 0; i < static_cast<int>(blockDim.x) / warpSize; ++i) total += wave_sums[i];
  atomicAdd(sum, total);
}

int main(int argc, char** argv) {
  const int n = example::size_argument(argc, argv, 500'000);
  std::vector<int> a(n);
  for (int i = 0; i < n; ++i) a[i] = i % 1000 - 300;
  example::DeviceArray<int> device_a(n), device_sum(1);

  constexpr int kWhole = 0;  // as many workgroups as the size asks for
  struct Version {
    const char* name;
    void (*kernel)(int*, int*, int);
    int workgroups;
    int block;
    int elements_per_thread;
    int most;  // elements the version can sum
  };
  const Version versions[] = {{"one thread", one_thread, 1, 1, 1, n},
                              {"atomics", atomics, kWhole, kBlock, 1, n},
                              {"block", block, 1, kBlock, 2, 2 * kBlock},
                              {"grid", grid, 1, 1024, 2, n},
                              {"grid with atomics", grid_atomic, kWhole, kBlock, 2, n},
                              {"LDS", lds, kWhole, kBlock, 2, n},
                              {"wave shuffles", shuffles, 208, kBlock, 1, n}};
  std::printf("sum of %d integers\n", n);
  bool all_right = true;
  for (const Version& version : versions) {
    const int count = n < version.most ? n : version.most;
    const int workgroups =
        version.workgroups != kWhole
            ? version.workgroups
            : example::blocks_for(count, version.block * version.elements_per_thread);
    device_a.write(a);  // some versions work in place
    device_sum.clear();
    version.kernel<<<workgroups, version.block>>>(device_a.data(), device_sum.data(), count);
    example::finish_kernel();
    const int expected = std::accumulate(a.begin(), a.begin() + count, 0);
    all_right = example::line(version.name, device_sum.read()[0] == expected) && all_right;
  }
  return example::verdict(all_right);
}
