// A permutation writes each element into a cache line of its own. FIXED: it reads so, and writes rows.
#include "../checks/memory.hpp"

constexpr int kRows = 2048, kColumns = 1024;

__global__ void transpose(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  __shared__ float tile[32][33];
  const int x = blockIdx.x % (kColumns / 32) * 32, y = blockIdx.x / (kColumns / 32) * 32;
  for (int k = 0; k < 4; ++k) {
    const int row = threadIdx.x / 32 + 8 * k;
    tile[row][threadIdx.x % 32] = in[(y + row) * kColumns + x + threadIdx.x % 32];
  }
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    const int row = threadIdx.x / 32 + 8 * k;
    out[(x + row) * kRows + y + threadIdx.x % 32] = tile[threadIdx.x % 32][row];
  }
  (void)i;
#else
  out[i % kColumns * kRows + i / kColumns] = in[i];  // cause
#endif
}

int main() {
#ifdef FIXED
  constexpr int kEach = 4;
#else
  constexpr int kEach = 1;
#endif
  transpose<<<kRows * kColumns / 256 / kEach, 256>>>(zeros<float>(kRows * kColumns),
                                                     zeros<float>(kRows * kColumns));
  return finish();
}
