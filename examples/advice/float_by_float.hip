// A few waves read much memory, four bytes at a time, and wait for each. FIXED: sixteen at a time.
#include "../checks/memory.hpp"

constexpr int kGroups = 304, kFloats = kGroups * 256 * 64;

#ifdef FIXED
__device__ float sum_of(const float4& v) { return v.x + v.y + v.z + v.w; }
using Element = float4;
#else
__device__ float sum_of(float v) { return v; }
using Element = float;
#endif

__global__ void sums(const Element* in, float* out, int count) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = first; i < count; i += gridDim.x * blockDim.x) {
    sum += sum_of(in[i]);  // cause
  }
  out[first] = sum;
}

int main() {
  constexpr int kElements = kFloats * sizeof(float) / sizeof(Element);
  sums<<<kGroups, 256>>>(zeros<Element>(kElements), zeros<float>(kGroups * 256), kElements);
  return finish();
}
