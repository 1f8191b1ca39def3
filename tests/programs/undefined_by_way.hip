// A kernel works out values from memory that nobody filled, and the next one decides by them.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void work_out(int* values, const int* nothing, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] = nothing[i] * 3 + 7;
}

__global__ void decide(const int* values, int* chosen, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count && values[i] > 5) chosen[i] = 1;
}

int main() {
  constexpr int kCount = 1000;
  constexpr std::size_t kBytes = kCount * sizeof(int);
  int *values = nullptr, *nothing = nullptr, *chosen = nullptr;
  if (hipMalloc(&values, kBytes) != hipSuccess || hipMalloc(&nothing, kBytes) != hipSuccess ||
      hipMalloc(&chosen, kBytes) != hipSuccess || hipMemset(chosen, 0, kBytes) != hipSuccess) {
    return 2;
  }
  work_out<<<4, 256>>>(values, nothing, kCount);
  decide<<<4, 256>>>(values, chosen, kCount);
  std::puts(hipDeviceSynchronize() == hipSuccess ? "PASS" : "FAIL");
}
