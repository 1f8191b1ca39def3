// y^T A x with a 32768 x 32768 matrix of doubles: a wave goes along a row, coalesced.
#include "common.hpp"

constexpr int kN = 32768;
constexpr int kGrid = 2048;

__global__ __launch_bounds__(64) void yax(const double* y, const double* a, const double* x,
                                          int rows, int columns, int pitch, double* result) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    double sum = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x)
      sum += a[static_cast<size_t>(row) * pitch + column] * x[column];
    atomicAdd(result, y[row] * sum);
  }
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210")) return 0;
  accuracy::DeviceArray<double> y(kN), a(size_t{kN} * kN), x(kN), result(1);
  // Each of the 2048 waves goes along 16 rows, one piece like the other. All waves are resident, so
  // there is nothing to sample: two lengths of piece are timed, the whole follows.
  const double column = accuracy::seconds_per_trip(2048, 6144, [&](int columns) {
    yax<<<kGrid, 64>>>(y.data(), a.data(), x.data(), kGrid, columns, kN, result.data());
  });
  accuracy::row("yax", device.name, "y^T A x, n=m=32768 doubles, coalesced, block 64, grid 2048",
                "", "time", column * kN * (kN / kGrid) * 1e3, "ms");
}
