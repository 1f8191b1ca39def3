// A workgroup has LDS in whole granules of 512 bytes, whatever it asks for: what lies behind its own
// bytes holds data up to the granule's end, behind which nothing is kept and zeros are read.
// `wavetank check` says that it is not the program's.
#include "common/check.hpp"

constexpr int kAsked = 37, kGranule = 512 / 4;  // dwords

__device__ __attribute__((noinline)) void add(int* where, int value) { *where += value; }

__global__ void behind_the_end(int* out, int through_pointers) {
  extern __shared__ int lds[];
  const int t = threadIdx.x;
  lds[t] = 100 + t;
  __syncthreads();
  if (t < kGranule) {
    if (through_pointers != 0) add(&lds[t], 1);
    else lds[t] += 1;
  }
  __syncthreads();
  out[t] = lds[t];
}

int main() {
  constexpr int kItems = 2 * kGranule;
  example::DeviceArray<int> out(kItems);
  bool ok = true;
  for (const int through_pointers : {0, 1}) {
    behind_the_end<<<1, kItems, kAsked * sizeof(int)>>>(out.data(), through_pointers);
    example::finish_kernel();
    const std::vector<int> got = out.read();
    for (int i = 0; i < kItems; ++i) ok = ok && got[i] == (i < kGranule ? 101 + i : 0);
  }
  return example::verdict(ok);
}
