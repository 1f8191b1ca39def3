// One block on one CU loads floats a stride apart, all from the vector L1: how many accesses the
// address unit makes of a wave's load.
#include "common.hpp"

constexpr int kTrips = 200;

__global__ __launch_bounds__(1024) void strided(const float* data, int stride, int trips,
                                                float* out) {
  const float* mine = data + static_cast<int>(threadIdx.x % 64) * stride;
  float sum = 0;
  for (int trip = 0; trip < trips; ++trip) {
    sum += mine[0] * mine[4];
    sum += mine[8] * mine[12];
    sum += mine[20] * mine[16];
    sum += mine[24] * mine[28];
    asm volatile("" : "+v"(mine));
  }
  out[threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210")) return 0;
  constexpr const char* kKernel = "1 block x 1024 on 1 CU, float load at (tid%64)*stride";
  accuracy::DeviceArray<float> data(std::vector<float>(64 * 64, 1.0f)), out(1024);
  for (const int stride : {1, 2, 4, 8}) {
    const std::string parameters = "stride=" + std::to_string(stride);
    if (!accuracy::wanted(kKernel, parameters)) continue;
    const double trip = accuracy::seconds_per_trip(kTrips, 3 * kTrips, [&](int trips) {
      strided<<<1, 1024>>>(data.data(), stride, trips, out.data());
    });
    accuracy::require(out.at(1023) == 3 * kTrips * 4, "vmem-stride");
    // 16 waves of two halves, eight loads each.
    accuracy::row("vmem-stride", device.name, kKernel, parameters, "cycles per 32-lane load",
                  trip * device.clock_ghz * 1e9 / (16 * 2 * 8), "cycles");
  }
}
