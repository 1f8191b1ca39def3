// A transpose with a mistake in it: between the write of the tile and its read there is no
// barrier, so a wave may read what another has not yet written. It is here to be found by a
// checker; whatever comes out, the program says so and exits 0.
#include "../common/check.hpp"

constexpr int kTile = 16;  // a workgroup of 4 waves, each with 4 rows of the tile

__global__ void transpose(const int* in, int* out, int height, int width) {
  __shared__ int tile[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  // here __syncthreads() is missing
  const int out_x = blockIdx.y * kTile + threadIdx.x;
  const int out_y = blockIdx.x * kTile + threadIdx.y;
  if (out_x < height && out_y < width)
    out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
}

int main(int argc, char** argv) {
  const int n = example::size_argument(argc, argv, 32);
  std::vector<int> in(n * n);
  for (int i = 0; i < n * n; ++i) in[i] = i + 1;
  example::DeviceArray<int> device_in(in), device_out(n * n);

  const int blocks = example::blocks_for(n, kTile);
  transpose<<<dim3(blocks, blocks), dim3(kTile, kTile)>>>(device_in.data(), device_out.data(), n,
                                                           n);
  example::finish_kernel();

  const std::vector<int> out = device_out.read();
  int wrong = 0;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      if (out[x * n + y] != in[y * n + x]) ++wrong;
  std::printf("%d of %d elements are wrong this time; the kernel lacks a barrier\n", wrong, n * n);
  return example::verdict(true);
}
