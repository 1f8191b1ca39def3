// One 4x4 matrix times many vectors. Every work-item keeps a batch of its own vectors in LDS and uses
// them row by row; the batch decides how many workgroups fit on a CU, and how far apart lanes read.
// The published kernel's text is not known, only this description. The rate is that of the published
// 3.35e8 vectors, taken from a sixteenth of them.
#include "common.hpp"

constexpr int kRows = 4;
constexpr int kVectors = 335544320 / 16;

template <int kBlock, int kBatch>
__global__ __launch_bounds__(kBlock) void mxv(const float* __restrict__ matrix,
                                              const float* __restrict__ x,
                                              float* __restrict__ b) {
  __shared__ float vectors[kBlock * kBatch * kRows];
  const size_t first = (static_cast<size_t>(blockIdx.x) * kBlock + threadIdx.x) * kBatch * kRows;
  float* const own = vectors + threadIdx.x * kBatch * kRows;
  for (int i = 0; i < kBatch * kRows; ++i) own[i] = x[first + i];
  __syncthreads();
  for (int vector = 0; vector < kBatch; ++vector) {
    for (int row = 0; row < kRows; ++row) {
      float sum = 0.0f;
      for (int column = 0; column < kRows; ++column)
        sum += matrix[row * kRows + column] * own[vector * kRows + column];
      b[first + vector * kRows + row] = sum;
    }
  }
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi250x (1 GCD)")) return 0;
  accuracy::DeviceArray<float> matrix(std::vector<float>(kRows * kRows, 1.0f));
  accuracy::DeviceArray<float> x(size_t{kVectors} * kRows), b(size_t{kVectors} * kRows);
  struct Version {
    const char* parameters;
    void (*kernel)(const float*, const float*, float*);
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
          matrix.data(), x.data(), b.data());
    });
    accuracy::row("mxv", device.name, "batched 4x4 matrix times 3.35e8 vectors",
                  version.parameters, "rate", 2.0 * kRows * kRows * kVectors / time * 1e-9,
                  "GFLOP/s");
  }
}
