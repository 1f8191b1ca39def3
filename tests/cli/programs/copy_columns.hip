// Two kernels for the tests of `wavetank profile`: one that copies, one that writes columns.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void copy(double* to, const double* from) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

__global__ void columns(double* to, const double* from) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[(i % 512) * 512 + i / 512] = from[i];
}

int main() {
  constexpr unsigned kCount = 512 * 512;
  double* from = nullptr;
  double* to = nullptr;
  if (hipMalloc(&from, kCount * sizeof(double)) != hipSuccess) return 1;
  if (hipMalloc(&to, kCount * sizeof(double)) != hipSuccess) return 1;
  copy<<<kCount / 256, 256>>>(to, from);
  columns<<<kCount / 256, 256>>>(to, from);
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  std::printf("the program's own line\n");
  return 7;
}
