// One block of 512 for each CU sweeps the same buffer again and again: bandwidth of L1 and L2.
#include "common.hpp"

constexpr int kBlock = 512;

// Two streams of kHalf float4 each.
template <int kHalf>
__global__ __launch_bounds__(kBlock) void sweep(const float4* data, int sweeps, float* out) {
  const float4* mine = data + threadIdx.x;
  float sum = 0;
  for (int s = 0; s < sweeps; ++s) {
#pragma unroll
    for (int i = 0; i < kHalf; i += kBlock) {
      const float4 a = mine[i], b = mine[i + kHalf];
      sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    asm volatile("" : "+v"(mine));
  }
  if (sum == -1.0f) out[0] = sum;
}

template <int kBytes>
void measure(const char* parameters, int few, int many) {
  constexpr const char* kKernel =
      "one 512-thread block per CU sweeps the same buffer, float4, two streams";
  if (!accuracy::wanted(kKernel, parameters)) return;
  constexpr int kHalf = kBytes / 2 / static_cast<int>(sizeof(float4));
  const auto& device = accuracy::this_device();
  accuracy::DeviceArray<float> data(std::vector<float>(kBytes / sizeof(float), 1.0f)), out(1);
  const double sweep_seconds = accuracy::seconds_per_trip(few, many, [&](int sweeps) {
    sweep<kHalf><<<device.compute_units, kBlock>>>(reinterpret_cast<const float4*>(data.data()),
                                                   sweeps, out.data());
  });
  accuracy::row("cache-bw", device.name, kKernel, parameters, "bandwidth",
                device.compute_units * double{kBytes} / sweep_seconds * 1e-9, "GB/s");
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (device.is("mi210") || device.is("mi300x")) measure<16 * 1024>("footprint=16 kB", 20, 120);
  if (device.is("mi210")) measure<64 * 1024>("footprint=64 kB", 5, 25);
  if (device.is("mi300x")) measure<128 * 1024>("footprint=128 kB", 3, 12);
}
