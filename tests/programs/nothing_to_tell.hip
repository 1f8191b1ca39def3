// Right programs of which `wavetank check` has nothing to say: the host itself fills memory of
// hipMalloc, and kernels of several workgroups print.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void scatter(const unsigned* places, int count, int* slots) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) slots[places[i]] = i;
}

__global__ void say() {
  if (threadIdx.x == 0) printf("workgroup %u\n", blockIdx.x);
}

int main() {
  constexpr int kCount = 128;
  unsigned* places = nullptr;
  int* slots = nullptr;
  if (hipMalloc(&places, kCount * sizeof *places) != hipSuccess) return 1;
  if (hipMalloc(&slots, kCount * sizeof *slots) != hipSuccess) return 1;
  for (int i = 0; i < kCount; ++i) places[i] = kCount - 1 - i;
  scatter<<<1, kCount>>>(places, kCount, slots);
  say<<<3, 64>>>();
  bool right = hipDeviceSynchronize() == hipSuccess;
  for (int i = 0; i < kCount; ++i) right = right && slots[kCount - 1 - i] == i;
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
