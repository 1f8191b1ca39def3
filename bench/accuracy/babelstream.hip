// Copy and Triad of 2^28 doubles, blocks of 1024.
#include "common.hpp"

constexpr size_t kCount = size_t{1} << 28;
constexpr int kBlock = 1024;

__global__ void copy(const double* a, const double*, double* c) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  c[i] = a[i];
}

__global__ void triad(const double* a, const double* b, double* c) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  c[i] = a[i] + 0.4 * b[i];
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi300a, one XCD")) return 0;
  accuracy::DeviceArray<double> a(kCount), b(kCount), c(kCount);
  const auto measure = [&](const char* parameters, auto kernel, int arrays) {
    if (!accuracy::wanted("", parameters)) return;
    const double time = accuracy::seconds(
        [&] { kernel<<<kCount / kBlock, kBlock>>>(a.data(), b.data(), c.data()); });
    accuracy::row("babelstream", device.name, "2^28 doubles, block 1024", parameters, "bandwidth",
                  kCount * sizeof(double) * arrays / time * 1e-9, "GB/s");
  };
  measure("kernel=copy", copy, 2);
  measure("kernel=triad", triad, 3);
}
