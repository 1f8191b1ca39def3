// 7-point Laplacian of N^3 doubles: a kernel that waits for memory.
//
//   laplacian [N, a multiple of 64]
#include "common/check.hpp"

#include <cstdlib>

__global__ __launch_bounds__(256) void laplacian(double* f, const double* u, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int j = threadIdx.y + blockIdx.y * blockDim.y;
  const int k = blockIdx.z;
  if (i == 0 || i == n - 1 || j == 0 || j == n - 1 || k == 0 || k == n - 1) return;
  const size_t row = n, slice = row * n;
  const size_t at = i + row * j + slice * k;
  f[at] = u[at - 1] + u[at + 1] + u[at - row] + u[at + row] + u[at - slice] + u[at + slice] -
          6.0 * u[at];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 192;
  if (n < 64 || n % 64 != 0) return 2;
  const size_t count = size_t(n) * n * n;
  example::DeviceArray<double> u(count), f(count);
  u.clear();
  f.clear();
  laplacian<<<dim3(n / 64, n / 4, n), dim3(64, 4)>>>(f.data(), u.data(), n);
  HIP_CHECK(hipDeviceSynchronize());
  return f.read()[count / 2] == 0 ? 0 : 1;
}
