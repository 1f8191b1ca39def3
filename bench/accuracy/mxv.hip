// One 4x4 matrix times many vectors, as the occupancy lecture of the public HIP training series
// does it (olcf/hip-training-series, Lecture3/Occupancy, "batched"): component by component in
// memory, a batch of neighbouring vectors for each work-item, kept in LDS, and every product added
// to the result in memory. Compiled, it has the published 22 SGPRs and 74 and 42 VGPRs. The
// lecture's rate counts the bytes of the products, four for each, which is kept.
#include "common.hpp"

constexpr int kRows = 4;
constexpr int kVectors = 1 << 21;

template <int kBlock, int kBatch>
__global__ __launch_bounds__(kBlock) void mxv(float* matrix, int rows, float* x, int count,
                                              float* result) {
  __shared__ float kept[kRows][kBlock * kBatch];
  const int first = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x) * kBatch;
  const int own = static_cast<int>(threadIdx.x) * kBatch;
  for (int row = 0; row < rows; ++row)
    for (int vector = 0; vector < kBatch; ++vector)
      kept[row][own + vector] = x[row * count + first + vector];
  __syncthreads();
  for (int vector = 0; vector < kBatch; ++vector)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < rows; ++column)
        result[row * count + first + vector] +=
            matrix[row * rows + column] * kept[column][own + vector];
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi250x (1 GCD)")) return 0;
  accuracy::DeviceArray<float> matrix(std::vector<float>(kRows * kRows, 1.0f));
  accuracy::DeviceArray<float> x(size_t{kVectors} * kRows), b(size_t{kVectors} * kRows);
  struct Version {
    const char* parameters;
    void (*kernel)(float*, int, float*, int, float*);
    int block, batch;
  };
  const Version versions[] = {{"V0: WG=128, Nb=32", mxv<128, 32>, 128, 32},
                              {"V1: WG=256, Nb=16", mxv<256, 16>, 256, 16},
                              {"V2: WG=128, Nb=1", mxv<128, 1>, 128, 1},
                              {"V3: WG=256, Nb=1", mxv<256, 1>, 256, 1}};
  for (const Version& version : versions) {
    if (!accuracy::wanted("mxv", version.parameters)) continue;
    const double time = accuracy::seconds([&] {
      version.kernel<<<kVectors / (version.block * version.batch), version.block>>>(
          matrix.data(), kRows, x.data(), kVectors, b.data());
    });
    accuracy::row("mxv", device.name, "batched 4x4 matrix times 3.35e8 vectors", version.parameters,
                  "rate", 4.0 * kRows * kRows * kVectors / time * 1e-9, "GFLOP/s");
  }
}
