// The transpose of examples/transpose at its published size.
#include "common.hpp"

constexpr int kN = 8192;
constexpr int kTile = 32;

__global__ void read_contiguous(const double* in, double* out, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < height && x < width) out[x * height + y] = in[y * width + x];
}

__global__ void write_contiguous(const double* in, double* out, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < width && x < height) out[y * height + x] = in[x * width + y];
}

__global__ void tiled(const double* in, double* out, int height, int width) {
  __shared__ double tile[kTile][kTile + 1];
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
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210")) return 0;
  constexpr const char* kKernel = "8192x8192 doubles, block 32x32";
  constexpr size_t kCount = size_t{kN} * kN;
  accuracy::DeviceArray<double> in(kCount), out(kCount);
  struct Version {
    const char* parameters;
    void (*kernel)(const double*, double*, int, int);
  };
  const Version versions[] = {{"kernel=read contiguous", read_contiguous},
                              {"kernel=write contiguous", write_contiguous},
                              {"kernel=LDS tile 32x33", tiled}};
  for (const Version& version : versions) {
    if (!accuracy::wanted(kKernel, version.parameters)) continue;
    const double time = accuracy::seconds([&] {
      version.kernel<<<dim3(kN / kTile, kN / kTile), dim3(kTile, kTile)>>>(in.data(), out.data(),
                                                                           kN, kN);
    });
    accuracy::row("transpose", device.name, kKernel, version.parameters, "average time",
                  time * 1e6, "us");
  }
}
