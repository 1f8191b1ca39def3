// Each work-item sums a row of its own, so that the lanes of a wave read as many cache lines as they
// are. FIXED: the matrix is stored transposed, and neighbours read neighbours.
#include "../checks/memory.hpp"

constexpr int kItems = 4864 * 64, kLength = 64;

__global__ void sums(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < kLength; ++k) {
#ifdef FIXED
    sum += in[k * kItems + i];
#else
    sum += in[i * kLength + k];  // cause
#endif
  }
  out[i] = sum;
}

int main() {
  sums<<<kItems / 256, 256>>>(zeros<float>(std::size_t{kItems} * kLength), zeros<float>(kItems));
  return finish();
}
