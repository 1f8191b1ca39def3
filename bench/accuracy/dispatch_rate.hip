// One element for each work-item, all from a footprint that the L2 holds: how fast waves start.
#include "common.hpp"

constexpr size_t kItems = size_t{1} << 22;
constexpr int kFootprintBytes = 383 * 1000;

__global__ void read_one(const double* b, double* a, int wrap) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) % static_cast<unsigned>(wrap);
  const double value = b[i];
  if (value == 1.5) a[i] = value;
}

__global__ void scale_one(const double* b, double* a, int wrap) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) % static_cast<unsigned>(wrap);
  a[i] = 0.25 * b[i];
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210")) return 0;
  constexpr int kWords = kFootprintBytes / static_cast<int>(sizeof(double));
  accuracy::DeviceArray<double> a(kWords), b(std::vector<double>(kWords, 1.0));
  const auto measure = [&](const char* kernel, const char* parameters,
                           void (*launch)(const double*, double*, int), int arrays, int block,
                           unsigned lds_bytes) {
    if (!accuracy::wanted(kernel, parameters)) return;
    const auto run = [&] {
      launch<<<kItems / block, block, lds_bytes>>>(b.data(), a.data(), kWords / arrays);
    };
    run();  // fills the L2
    const double time = accuracy::seconds(run);
    accuracy::row("dispatch-rate", device.name, kernel, parameters, "bandwidth",
                  kItems * sizeof(double) * arrays / time * 1e-9, "GB/s");
  };
  constexpr const char* kLarge =
      "one 8-B element per work-item from L2 (383 kB footprint), block 1024";
  measure(kLarge, "kernel=read", read_one, 1, 1024, 0);
  measure(kLarge, "kernel=scale", scale_one, 2, 1024, 0);
  measure("same, block 64, 2 blocks per CU", "kernel=read", read_one, 1, 64,
          accuracy::lds_bytes_for(2));
}
