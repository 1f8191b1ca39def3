// Every lane reads the dword at lane * stride of the LDS, again and again: bank conflicts.
#include "common.hpp"

constexpr int kWords = 16384;  // 64 KB
constexpr int kReads = 8;

__global__ __launch_bounds__(1024) void strided(int stride, int trips, float* out) {
  __shared__ float words[kWords];
  for (int i = threadIdx.x; i < kWords; i += 1024) words[i] = 1.0f;
  __syncthreads();
  const float* mine = words + static_cast<int>(threadIdx.x % 64) * stride;
  float sum = 0;
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < kReads; ++i) sum += mine[i * kWords / kReads];  // in the same bank
    asm volatile("" ::: "memory");
  }
  out[threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  if (!accuracy::this_device().is_gfx942()) return 0;
  constexpr const char* kKernel =
      "64 KB LDS, 1 block x 1024, lane i reads dword i*stride, 10000 trips x 8";
  accuracy::DeviceArray<float> out(1024);
  // A trip costs the same each time: the difference of two lengths replaces 10000 of them.
  const auto trip_seconds = [&](int stride) {
    const double trip = accuracy::seconds_per_trip(
        100, 400, [&](int trips) { strided<<<1, 1024>>>(stride, trips, out.data()); });
    accuracy::require(out.at(1023) == 400 * kReads, "lds-stride");
    return trip;
  };
  const double slowest = trip_seconds(32);
  for (const int stride : {1, 4, 32})
    accuracy::row("lds-stride", "gfx942", kKernel, "stride=" + std::to_string(stride),
                  "time relative to stride 32", trip_seconds(stride) / slowest, "ratio");
}
