// Prefix sums in one launch: workgroups scan in LDS and learn by decoupled look-back what those
// before them add up to. It is right; mutations.py takes its waits, barriers and fences out.
#include <numeric>
#include <vector>

#include "../../examples/common/check.hpp"

constexpr int kBlock = 256, kWaves = kBlock / 64;
// Each value has a flag of its own.
struct Published {
  int has_own, own, has_prefix, prefix;
};

__device__ int scan_in_wave(int value) {
  const int lane = threadIdx.x % 64;
  for (int distance = 1; distance < 64; distance *= 2) {
    const int other = __shfl_up(value, distance);
    if (lane >= distance) value += other;
  }
  return value;
}

__device__ void publish(int* value, int* flag, int what) {
  *value = what;
  __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ bool is_published(int* flag) {
  return __hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != 0;
}

// What the workgroups before `index` add up to. Of the neighbour its own sum is taken in any case,
// so that both ways of handing on are gone in each run.
__device__ int look_back(Published* all, int index, int own) {
  publish(&all[index].own, &all[index].has_own, own);
  int before = 0;
  for (int i = index - 1; i >= 0;) {
    if (i < index - 1 && is_published(&all[i].has_prefix)) return before + all[i].prefix;
    if (!is_published(&all[i].has_own)) continue;
    before += all[i].own;
    --i;
  }
  return before;
}

__global__ void scan(const int* in, int* out, int n, int* ticket, Published* all) {
  __shared__ int wave_sums[kWaves];
  __shared__ int index, before;
  if (threadIdx.x == 0) index = atomicAdd(ticket, 1);
  __syncthreads();
  const int i = index * kBlock + threadIdx.x;
  const int wave = threadIdx.x / 64;
  int sum = scan_in_wave(i < n ? in[i] : 0);
  if (threadIdx.x % 64 == 63) wave_sums[wave] = sum;
  __syncthreads();
  for (int other = 0; other < wave; ++other) sum += wave_sums[other];
  if (threadIdx.x == kBlock - 1) {
    before = look_back(all, index, sum);
    publish(&all[index].prefix, &all[index].has_prefix, before + sum);
  }
  __syncthreads();
  if (i < n) out[i] = before + sum;
}

int main(int argc, char** argv) {
  const int n = example::size_argument(argc, argv, 5000);
  const int groups = example::blocks_for(n, kBlock);
  std::vector<int> in(n), expected(n);
  for (int i = 0; i < n; ++i) in[i] = i % 7 - 2;
  std::partial_sum(in.begin(), in.end(), expected.begin());
  example::DeviceArray<int> device_in(in), out(n), ticket(1);
  example::DeviceArray<Published> all(groups);
  ticket.clear();
  all.clear();
  scan<<<groups, kBlock>>>(device_in.data(), out.data(), n, ticket.data(), all.data());
  example::finish_kernel();
  return example::verdict(out.read() == expected);
}
