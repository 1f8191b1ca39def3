// c[i] = a[i] for 1,048,576 doubles, 4096 blocks of 256. `wavetank bench accuracy` reads the
// counters of the launch from the profile; the program prints the time.
#include "common.hpp"

constexpr int kCount = 1048576;

__global__ void vecCopy(double* a, double*, double* c, int n, int) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n) c[id] = a[id];
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210") && !device.is("mi300x") && !device.is("mi300a")) return 0;
  std::vector<double> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = i;
  accuracy::DeviceArray<double> a(values), c(kCount);
  const double time = accuracy::seconds(
      [&] { vecCopy<<<kCount / 256, 256>>>(a.data(), nullptr, c.data(), kCount, 256); });
  accuracy::require(c.read() == values, "vcopy");
  if (device.is("mi210"))
    accuracy::row("vcopy", device.name, "c[i]=a[i], 1048576 doubles, block 256", "", "time",
                  time * 1e6, "us (16.5-20.2)");
}
