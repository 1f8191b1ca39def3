// A[i] = 0.25 * B[i], many launches in a row: what a launch costs, and a workgroup.
#include "common.hpp"

__global__ void scale(double* a, const double* b) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  a[i] = 0.25 * b[i];
}

// Seconds of one of `launches` in a row.
static double launch_seconds(double* a, const double* b, size_t count, int block, int launches) {
  const unsigned grid = static_cast<unsigned>(count / block);
  return accuracy::seconds([&] {
           for (int i = 0; i < launches; ++i) scale<<<grid, block>>>(a, b);
         }) /
         launches;
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210")) return 0;
  constexpr const char* kKernel = "A[i]=0.25*B[i], doubles, back-to-back launches";
  constexpr size_t kSmall = 64 * 1000 / (2 * sizeof(double)) / 256 * 256;  // both arrays 64 kB
  constexpr size_t kLarge = size_t{1} << 25;
  accuracy::DeviceArray<double> a(kLarge), b(kLarge);
  if (accuracy::wanted(kKernel, "64 kB, block=256"))
    accuracy::row("launch", device.name, kKernel, "64 kB, block=256", "time per kernel",
                  launch_seconds(a.data(), b.data(), kSmall, 256, 100) * 1e6, "us");
  for (const int block : {16, 256}) {
    const std::string parameters = "large, block=" + std::to_string(block);
    if (!accuracy::wanted(kKernel, parameters)) continue;
    const double time = launch_seconds(a.data(), b.data(), kLarge, block, 1);
    accuracy::row("launch", device.name, kKernel, parameters, "bandwidth",
                  kLarge * 2 * sizeof(double) / time * 1e-9, "GB/s");
  }
}
