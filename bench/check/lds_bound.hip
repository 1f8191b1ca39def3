// A kernel that does nearly nothing but load from LDS and store to it: relaxation of a ring of
// values, for which each work-item looks at its neighbours between two barriers.
//
//   lds_bound [WORKGROUPS] [STEPS]
#include <cstdlib>
#include <vector>

#include "common/check.hpp"

constexpr int kBlock = 256;

__global__ void relax(const int* in, int* out, int steps) {
  __shared__ int ring[2][kBlock];
  const int own = threadIdx.x;
  const int left = (own + kBlock - 1) % kBlock, right = (own + 1) % kBlock;
  ring[0][own] = in[blockIdx.x * kBlock + own];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const int* from = ring[step % 2];
    ring[(step + 1) % 2][own] = (from[left] + 2 * from[own] + from[right]) >> 2;
    __syncthreads();
  }
  out[blockIdx.x * kBlock + own] = ring[steps % 2][own];
}

static void relax_on_host(int* ring, int steps) {
  std::vector<int> next(kBlock);
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < kBlock; ++i) {
      const int left = ring[(i + kBlock - 1) % kBlock], right = ring[(i + 1) % kBlock];
      next[i] = (left + 2 * ring[i] + right) >> 2;
    }
    std::copy(next.begin(), next.end(), ring);
  }
}

int main(int argc, char** argv) {
  const int groups = argc > 1 ? std::atoi(argv[1]) : 256;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 200;
  const int n = groups * kBlock;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i * 7919 % 100003;
  example::DeviceArray<int> in(n), out(n);
  in.write(values);
  relax<<<groups, kBlock>>>(in.data(), out.data(), steps);
  example::finish_kernel();
  for (int group = 0; group < groups; ++group) relax_on_host(&values[group * kBlock], steps);
  return example::verdict(example::line("ring", out.read() == values));
}
