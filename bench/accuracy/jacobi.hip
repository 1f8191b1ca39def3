// The update of a Jacobi solver: five streams of 4096^2 doubles.
#include "common.hpp"

constexpr int kCount = 4096 * 4096;

__global__ __launch_bounds__(512) void JacobiIteration(int n, double factor, const double* rhs,
                                                       const double* au, double* residual,
                                                       double* u) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n) {
    const double r = rhs[id] - au[id];
    residual[id] = r;
    u[id] += r * factor;
  }
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi250x (1 GCD)")) return 0;
  accuracy::DeviceArray<double> rhs(kCount), au(kCount), residual(kCount), u(kCount);
  const double time = accuracy::seconds([&] {
    JacobiIteration<<<kCount / 512, 512>>>(kCount, 0.25, rhs.data(), au.data(), residual.data(),
                                           u.data());
  });
  accuracy::row("jacobi", device.name, "JacobiIteration 4096^2 doubles, block 512, 5 streams", "",
                "time", time * 1e6, "us");
}
