// A cooperative launch: every workgroup of the grid meets at a grid-wide barrier, several times.
#include "common/check.hpp"

#include <hip/hip_cooperative_groups.h>  // wants hip_runtime.h before it

namespace cg = cooperative_groups;

// Each round, every workgroup reads what its neighbour wrote in the round before.
__global__ void rounds(int* a, int* b, int count) {
  cg::grid_group grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = gridDim.x * blockDim.x;
  for (int round = 0; round < count; ++round) {
    int* from = round % 2 == 0 ? a : b;
    int* to = round % 2 == 0 ? b : a;
    to[i] = from[(i + blockDim.x) % n] + 1;
    grid.sync();
  }
}

int main() {
  constexpr int kWorkgroups = 64, kBlock = 128, kRounds = 6;
  constexpr int kCount = kWorkgroups * kBlock;
  std::vector<int> in(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = 10 * i;
  example::DeviceArray<int> a(in), b(kCount);
  int* a_pointer = a.data();
  int* b_pointer = b.data();
  int count = kRounds;
  void* arguments[] = {&a_pointer, &b_pointer, &count};
  HIP_CHECK(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(rounds), dim3(kWorkgroups),
                                       dim3(kBlock), arguments, 0, nullptr));
  example::finish_kernel();
  const std::vector<int> out = a.read();
  bool ok = true;
  for (int i = 0; i < kCount; ++i)
    ok = ok && out[i] == in[(i + kRounds * kBlock) % kCount] + kRounds;
  ok = example::line("six rounds", ok);

  // More workgroups than the device can hold at once cannot meet.
  const hipError_t error =
      hipLaunchCooperativeKernel(reinterpret_cast<const void*>(rounds), dim3(1 << 20), dim3(kBlock),
                                 arguments, 0, nullptr);
  ok = example::line("too many workgroups", error == hipErrorCooperativeLaunchTooLarge) && ok;
  (void)hipGetLastError();
  return example::verdict(ok);
}
