// Every lane reads the dword at lane * stride of the LDS, again and again: bank conflicts. With
// large strides some lanes lie beyond the LDS.
#include <array>

#include "common.hpp"

constexpr uint32_t kWords = 16384;  // 64 KB
constexpr int kReads = 8;           // in a trip
constexpr std::array<uint32_t, 4> kStrides = {1, 4, 32, 512};

// `mask` is 0, which the compiler does not know: each read has its address computed.
__global__ __launch_bounds__(1024) void strided(const uint32_t* indices, int reads, int mask,
                                                uint32_t* out) {
  __shared__ uint32_t words[kWords];
  for (uint32_t i = threadIdx.x; i < kWords; i += blockDim.x) words[i] = 1;
  __syncthreads();
  const uint32_t index = indices[threadIdx.x & 63];
  uint32_t sum = 0;
#pragma unroll 8
  for (int n = 0; n < reads; ++n) sum += words[index + (n & mask)];
  out[threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is_gfx942()) return 0;
  const accuracy::DeviceArray<uint32_t> out(1024);
  // A trip costs the same each time: the difference of two lengths replaces 10000 of them. Each
  // stride has addresses of its own: a launch with the arguments of an earlier one would take the
  // earlier one's time.
  std::vector<uint32_t> lanes;
  for (const uint32_t stride : kStrides)
    for (uint32_t lane = 0; lane < 64; ++lane) lanes.push_back(lane * stride);
  const accuracy::DeviceArray<uint32_t> indices(lanes);
  const auto trip_seconds = [&](uint32_t stride) {
    const auto at = std::find(kStrides.begin(), kStrides.end(), stride) - kStrides.begin();
    const double trip = accuracy::seconds_per_trip(100, 400, [&](int trips) {
      strided<<<1, 1024>>>(indices.data() + 64 * at, trips * kReads, 0, out.data());
    });
    accuracy::require(out.at(0) == 400 * kReads, "lds-stride");
    accuracy::require(out.at(1023) == (63 * stride < kWords ? 400 * kReads : 0),
                      "lds-stride: beyond the LDS");
    return trip;
  };
  const double slowest = trip_seconds(32);
  for (const uint32_t stride : {1u, 4u, 32u})
    accuracy::row("lds-stride", "gfx942",
                  "64 KB LDS, 1 block x 1024, lane i reads dword i*stride, 10000 trips x 8",
                  "stride=" + std::to_string(stride), "time relative to stride 32",
                  trip_seconds(stride) / slowest, "ratio");
  // 16 waves share the LDS.
  accuracy::row("lds-stride", device.name,
                "64 KB LDS, 1 block x 1024, lane i reads dword i*stride (lanes beyond the LDS "
                "included)",
                "stride=512", "cycles per wave access",
                trip_seconds(512) * device.clock_ghz * 1e9 / (16 * kReads), "cycles");
}
