// Four ways to transpose a matrix of doubles. All move the same bytes; they differ in which
// accesses are contiguous for the work-items of a wave, and in the banks of the LDS they meet.
//
//   transpose [HEIGHT [WIDTH]] [--time]
#include <cstring>

#include "../common/check.hpp"

constexpr int kTile = 32;  // 32 x 32 work-items: the largest workgroup

// A wave reads neighbours and writes a column: each store touches a cache line of its own.
__global__ void read_contiguous(const double* __restrict__ in, double* __restrict__ out,
                                int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < height && x < width) out[x * height + y] = in[y * width + x];
}

// A wave reads a column and writes neighbours.
__global__ void write_contiguous(const double* __restrict__ in, double* __restrict__ out,
                                 int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;  // position in the output
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < width && x < height) out[y * height + x] = in[x * width + y];
}

// Both contiguous: a tile is turned inside the LDS. Without padding the column of the tile lies
// in one pair of banks; one more element per row spreads it over all of them.
template <int kPad>
__global__ void tiled(const double* __restrict__ in, double* __restrict__ out, int height,
                      int width) {
  __shared__ double tile[kTile][kTile + kPad];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  if (y < height && x < width) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int out_x = blockIdx.y * kTile + threadIdx.x;
  const int out_y = blockIdx.x * kTile + threadIdx.y;
  if (out_y < width && out_x < height)
    out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
}

int main(int argc, char** argv) {
  const bool timed = argc > 1 && std::strcmp(argv[argc - 1], "--time") == 0;
  if (timed) --argc;
  const int height = example::size_argument(argc, argv, 2048);
  const int width = example::size_argument(argc, argv, height, 2);
  const size_t count = static_cast<size_t>(height) * width;
  std::vector<double> in(count);
  for (size_t i = 0; i < count; ++i) in[i] = static_cast<double>(i);
  example::DeviceArray<double> device_in(in), device_out(count);

  const dim3 block(kTile, kTile);
  const dim3 over_input(example::blocks_for(width, kTile), example::blocks_for(height, kTile));
  const dim3 over_output(over_input.y, over_input.x);
  struct Version {
    const char* name;
    void (*kernel)(const double*, double*, int, int);
    dim3 grid;
  };
  const Version versions[] = {{"read contiguous", read_contiguous, over_input},
                              {"write contiguous", write_contiguous, over_output},
                              {"tiled, padded", tiled<1>, over_input},
                              {"tiled, not padded", tiled<0>, over_input}};

  std::printf("transpose of %d x %d doubles\n", height, width);
  bool all_right = true;
  for (const Version& version : versions) {
    device_out.clear();
    const float milliseconds = example::time_kernel([&] {
      version.kernel<<<version.grid, block>>>(device_in.data(), device_out.data(), height, width);
    });
    const std::vector<double> out = device_out.read();
    bool right = true;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        right = right && out[static_cast<size_t>(x) * height + y] ==
                             in[static_cast<size_t>(y) * width + x];
    all_right = example::line(version.name, right) && all_right;
    if (timed) std::printf("    %.3f ms\n", milliseconds);
  }
  return example::verdict(all_right);
}
