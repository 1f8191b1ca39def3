// One 4x4 matrix times many vectors. Every work-item keeps a batch of vectors in LDS and uses them
// row by row; the batch decides how many workgroups fit on a CU. The published kernel's text is not
// known, only this description and its registers (74 VGPRs with a batch of 32, 42 with 16: two for
// each vector of the batch and ten more). This text has as many for each vector, and five more. So
// only the ratios between the versions are compared.
#include "common.hpp"

constexpr int kRows = 4;
constexpr int kVectors = 1 << 22;

template <int kBlock, int kBatch>
__global__ void mxv(const float* matrix, const float* x, float* b, int rows) {
  __shared__ float vectors[kBlock * kBatch * kRows];
  const size_t first = static_cast<size_t>(blockIdx.x) * kBlock * kBatch;
  const auto place = [&](int vector) { return vector * kBlock + static_cast<int>(threadIdx.x); };
  for (int column = 0; column < rows; ++column) {
    for (int vector = 0; vector < kBatch; ++vector)
      vectors[place(vector) * rows + column] = x[(first + place(vector)) * rows + column];
  }
  __syncthreads();
  for (int row = 0; row < rows; ++row) {
    for (int vector = 0; vector < kBatch; ++vector) {
      float sum = 0.0f;
      for (int column = 0; column < rows; ++column)
        sum += matrix[row * rows + column] * vectors[place(vector) * rows + column];
      b[(first + place(vector)) * rows + row] = sum;
    }
  }
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  constexpr const char* kKernel = "batched 4x4 matrix times 3.35e8 vectors";
  if (!device.is("mi250x (1 GCD)") || !accuracy::wanted(kKernel, "ratios")) return 0;
  accuracy::DeviceArray<float> matrix(std::vector<float>(kRows * kRows, 1.0f));
  accuracy::DeviceArray<float> x(size_t{kVectors} * kRows), b(size_t{kVectors} * kRows);
  struct Version {
    void (*kernel)(const float*, const float*, float*, int);
    int block, batch;
  };
  const Version versions[] = {{mxv<128, 32>, 128, 32},
                              {mxv<256, 16>, 256, 16},
                              {mxv<128, 1>, 128, 1},
                              {mxv<256, 1>, 256, 1}};
  double rates[4];
  for (int i = 0; i < 4; ++i) {
    const Version& version = versions[i];
    rates[i] = 1 / accuracy::seconds([&] {
                 version.kernel<<<kVectors / (version.block * version.batch), version.block>>>(
                     matrix.data(), x.data(), b.data(), kRows);
               });
  }
  const auto ratio = [&](const char* parameters, int of, int to) {
    accuracy::row("mxv", device.name, kKernel, parameters, "ratio of the rates",
                  rates[of] / rates[to], "x");
  };
  ratio("V1 (WG=256, Nb=16) to V0 (WG=128, Nb=32)", 1, 0);
  ratio("V2 (WG=128, Nb=1) to V0 (WG=128, Nb=32)", 2, 0);
  ratio("V3 (WG=256, Nb=1) to V2 (WG=128, Nb=1)", 3, 2);
}
