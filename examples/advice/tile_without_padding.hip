// A transpose through LDS reads columns of a tile whose rows are 32 words: all lanes of a half wave
// go to one bank. FIXED: a word of padding at the end of each row.
#include "../checks/memory.hpp"

constexpr int kWidth = 2048, kTile = 32;
#ifdef FIXED
constexpr int kPadding = 1;
#else
constexpr int kPadding = 0;
#endif

__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[kTile][kTile + kPadding];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int row = y; row < kTile; row += 8) {
    tile[row][x] = in[(blockIdx.y * kTile + row) * kWidth + blockIdx.x * kTile + x];
  }
  __syncthreads();
  for (int row = y; row < kTile; row += 8) {
    out[(blockIdx.x * kTile + row) * kWidth + blockIdx.y * kTile + x] = tile[x][row];  // cause
  }
}

int main() {
  const dim3 grid(kWidth / kTile, kWidth / kTile), group(kTile, 8);
  transpose<<<grid, group>>>(zeros<float>(kWidth * kWidth), zeros<float>(kWidth * kWidth));
  return finish();
}
