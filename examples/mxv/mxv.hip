// b = A x for many small vectors and one matrix, in four configurations. Each workgroup loads a
// batch of vectors into the LDS; the size of the batch decides how many workgroups fit on a
// compute unit. `wavetank inspect` shows the occupancy of each.
#include "../common/check.hpp"

constexpr int kRows = 4;  // the matrix is kRows x kRows (N_m)

// A work-item loads and computes kBatch * kRows elements, at a distance of kBlock.
template <int kBlock, int kBatch>
__global__ __launch_bounds__(kBlock) void mxv(const float* __restrict__ matrix,
                                              const float* __restrict__ x,
                                              float* __restrict__ b) {
  constexpr int kElements = kBlock * kBatch * kRows;
  constexpr int kUnroll = kBatch > 8 ? kBatch / 8 : 1;
  __shared__ float vectors[kElements];
  const size_t first = static_cast<size_t>(blockIdx.x) * kElements;
#pragma unroll kUnroll
  for (int i = threadIdx.x; i < kElements; i += kBlock) vectors[i] = x[first + i];
  __syncthreads();
#pragma unroll kUnroll
  for (int i = threadIdx.x; i < kElements; i += kBlock) {
    const int row = i % kRows;
    const int vector = i - row;
    float sum = 0.0f;
    for (int column = 0; column < kRows; ++column)
      sum += matrix[row * kRows + column] * vectors[vector + column];
    b[first + i] = sum;
  }
}

struct Version {
  const char* name;
  void (*kernel)(const float*, const float*, float*);
  int block;
  int batch;
};

int main(int argc, char** argv) {
  const int n = example::size_argument(argc, argv, 200'000);
  const Version versions[] = {{"V0: 128 x batch of 32", mxv<128, 32>, 128, 32},
                              {"V1: 256 x batch of 16", mxv<256, 16>, 256, 16},
                              {"V2: 128 x batch of 1", mxv<128, 1>, 128, 1},
                              {"V3: 256 x batch of 1", mxv<256, 1>, 256, 1}};
  constexpr int kLargestBatch = 128 * 32;  // vectors of one workgroup; the arrays are padded to it
  const int padded = example::blocks_for(n, kLargestBatch) * kLargestBatch;

  std::vector<float> matrix(kRows * kRows), x(padded * kRows), expected(padded * kRows);
  for (size_t i = 0; i < matrix.size(); ++i) matrix[i] = 0.5f * static_cast<float>(i) - 3.0f;
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97);  // all sums are exact
  for (int i = 0; i < padded * kRows; ++i) {
    const int row = i % kRows;
    for (int column = 0; column < kRows; ++column)
      expected[i] += matrix[row * kRows + column] * x[i - row + column];
  }
  example::DeviceArray<float> device_matrix(matrix), device_x(x), device_b(x.size());

  std::printf("%d products of a %d x %d matrix with a vector\n", n, kRows, kRows);
  bool all_right = true;
  for (const Version& version : versions) {
    device_b.clear();
    const int workgroups = padded / (version.block * version.batch);
    version.kernel<<<workgroups, version.block>>>(device_matrix.data(), device_x.data(),
                                                  device_b.data());
    example::finish_kernel();
    const int lds_bytes = version.block * version.batch * kRows * static_cast<int>(sizeof(float));
    all_right = example::line(version.name, device_b.read() == expected) && all_right;
    std::printf("    LDS of a workgroup: %d bytes\n", lds_bytes);
  }
  return example::verdict(all_right);
}
