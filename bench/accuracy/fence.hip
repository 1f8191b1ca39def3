// The cost of a __threadfence, in a kernel whose blocks write a little between fences.
#include "common.hpp"

template <bool kFence>
__global__ __launch_bounds__(256) void write(unsigned* data, int times) {
  volatile unsigned* mine = data + (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = 0; i < times; ++i) {
    *mine = static_cast<unsigned>(i);
    if constexpr (kFence) __threadfence();
  }
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi300x")) return 0;
  constexpr int kBlocks = 64;
  accuracy::DeviceArray<unsigned> data(kBlocks * 256);
  const auto trip = [&](auto kernel) {
    return accuracy::seconds_per_trip(
        4, 12, [&](int times) { kernel<<<kBlocks, 256>>>(data.data(), times); });
  };
  const double with = trip(write<true>), without = trip(write<false>);
  accuracy::require(data.at(kBlocks * 256 - 1) == 11, "fence");
  accuracy::row("fence", device.name, "__threadfence at device scope", "", "cost",
                (with - without) * 1e6, "us");
}
