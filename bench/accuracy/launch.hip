// A[i] = 0.25 * B[i], many launches in a row: what a launch costs, and a workgroup.
#include "common.hpp"

// 0.25 is a power of two: the published kernel has v_ldexp_f64 and no multiplication.
__global__ void scale(double* __restrict__ a, const double* __restrict__ b, int n) {
  const int i = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  if (i >= n) return;
  a[i] = ldexp(b[i], -2);
}

// Seconds of one more launch in a row; the two arrays change places at each.
static double launch_seconds(int n, int block, int few, int many) {
  const accuracy::DeviceArray<double> first(n), second(n);
  return accuracy::seconds_per_trip(few, many, [&](int launches) {
    double *a = first.data(), *b = second.data();
    for (int i = 0; i < launches; ++i) {
      scale<<<n / block + 1, block>>>(a, b, n);
      std::swap(a, b);
    }
  });
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210")) return 0;
  constexpr const char* kKernel = "A[i]=0.25*B[i], doubles, back-to-back launches";
  if (accuracy::wanted(kKernel, "64 kB, block=256"))
    accuracy::row("launch", device.name, kKernel, "64 kB, block=256", "time per kernel",
                  launch_seconds(4096, 256, 20, 100) * 1e6, "us");
  const auto bandwidth = [&](const std::string& kernel, const std::string& parameters, int n,
                             int block, int few, int many) {
    if (!accuracy::wanted(kernel, parameters)) return;
    accuracy::row("launch", device.name, kernel, parameters, "bandwidth",
                  n * 2.0 * sizeof(double) / launch_seconds(n, block, few, many) * 1e-9, "GB/s");
  };
  for (const int block : {16, 256})
    bandwidth(kKernel, "large, block=" + std::to_string(block), 1 << 25, block, 1, 2);
  const struct {
    int block, n;
  } shapes[] = {{64, 41164}, {128, 164478}, {1024, 414174}};
  for (const auto& shape : shapes)
    bandwidth(std::string(kKernel) + ", grid n/block+1",
              "block=" + std::to_string(shape.block) + ", n=" + std::to_string(shape.n), shape.n,
              shape.block, 4, 12);
}
