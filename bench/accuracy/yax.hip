// y^T A x with a 32768 x 32768 matrix of doubles, in the three forms of AMD's training example:
// a column or a row of the matrix for each work-item, a row for each workgroup.
#include "common.hpp"

constexpr int kN = 32768;
constexpr int kGrid = 2048;
constexpr int kBlock = 64;

// Work-item i has column i: its wave's lanes lie side by side, and each load waits for the one
// before. A wave is done with its 64 columns after kN loads.
__global__ __launch_bounds__(256) void columns(const double* y, const double* a, const double* x,
                                               int n, int first, int end, double* result) {
  double sum = 0;
  for (size_t i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
    double product = 0;
#pragma unroll 1
    for (int j = first; j < end; ++j) product += a[static_cast<size_t>(j) * n + i] * x[j];
    sum += y[i] * product;
  }
  unsafeAtomicAdd(result, sum);
}

// Work-item i has row i: lanes lie a row of 256 KiB apart.
__global__ __launch_bounds__(256) void rows(const double* y, const double* a, const double* x,
                                            int n, int first, int end, double* result) {
  double sum = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
    double product = 0;
#pragma unroll 1
    for (int j = first; j < end; ++j) product += a[static_cast<size_t>(i) * n + j] * x[j];
    sum += y[i] * product;
  }
  unsafeAtomicAdd(result, sum);
}

// A workgroup has row after row, its lanes side by side in it. `round_end` gets the time at which
// the last workgroup has done each of its rows, in cycles.
__global__ __launch_bounds__(256) void group_rows(const double* y, const double* a, const double* x,
                                                  int n, double* result,
                                                  unsigned long long* round_end) {
  __shared__ double sum;
  if (threadIdx.x == 0) sum = 0;
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    double product = 0;
    for (int j = static_cast<int>(threadIdx.x); j < kN; j += blockDim.x)
      product += a[static_cast<size_t>(i) * kN + j] * x[j];
    unsafeAtomicAdd(&sum, product);
    if (threadIdx.x == 0) {
      sum *= y[i];
      atomicMax(&round_end[i / gridDim.x], static_cast<unsigned long long>(clock64()));
    }
  }
  if (threadIdx.x == 0) unsafeAtomicAdd(result, sum);
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210")) return 0;
  constexpr const char* kKernel = "y^T A x, n=m=32768 doubles, block 64, grid 2048";
  const accuracy::DeviceArray<double> y(kN), a(size_t{kN} * kN), x(kN), result(1);
  // All waves are resident, so there is nothing to sample: two lengths of piece are timed, each on
  // a part of the matrix of its own, and the whole follows.
  const auto measure = [&](const char* parameters, auto kernel, int few, int many) {
    if (!accuracy::wanted(kKernel, parameters)) return;
    const double step = accuracy::seconds_per_trip(few, many, [&](int steps) {
      const int first = steps == many ? kN / 2 : steps == few ? kN / 4 : 0;
      kernel<<<kGrid, kBlock>>>(y.data(), a.data(), x.data(), kN, first, first + steps,
                                result.data());
    });
    accuracy::row("yax", device.name, kKernel, parameters, "time", step * kN * 1e3, "ms");
  };
  measure(
      "one column per work-item (A[j*n+i]: lanes over neighbouring i; each load waits for the "
      "one before)",
      columns, 128, 384);
  measure("one row per work-item (A[i*n+j], i over lanes)", rows, 64, 192);
  constexpr const char* kGroupRows = "one row per workgroup (lanes over j)";
  if (!accuracy::wanted(kKernel, kGroupRows)) return 0;
  // Workgroups begin side by side and drift apart: the first rows take longer than the others.
  // Three rounds are timed, of which the last one stands for all that follow.
  constexpr int kRounds = 3;
  const accuracy::DeviceArray<unsigned long long> round_end(
      std::vector<unsigned long long>(kRounds, 0));
  const double begun = accuracy::seconds([&] {
    group_rows<<<kGrid, kBlock>>>(y.data(), a.data(), x.data(), kRounds * kGrid, result.data(),
                                  round_end.data());
  });
  const double round =
      static_cast<double>(round_end.at(2) - round_end.at(1)) / (device.clock_ghz * 1e9);
  accuracy::row("yax", device.name, kKernel, kGroupRows, "time",
                (begun + (kN / kGrid - kRounds) * round) * 1e3, "ms");
}
