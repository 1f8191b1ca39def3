// One block of 512 for each CU sweeps the same buffer again and again: bandwidth of L1 and L2.
#include "common.hpp"

constexpr int kBlock = 512;

/// Sweeps that a round holds: 64 loads stand in a row in the code.
template <int kHalf>
constexpr int kSweepsInRound = kHalf / kBlock > 32 ? 1 : 32 / (kHalf / kBlock);

// Two streams of kHalf float4 each. `none` is 0, which the compiler does not know. Rounds are
// whole: with a rest behind them it has two loads of a wave under way, not ten, and no wave runs
// ahead.
template <int kHalf>
__global__ __launch_bounds__(kBlock) void sweep(float4* __restrict__ out,
                                                const float4* __restrict__ data, int none,
                                                int rounds) {
  float4 sum = {0, 0, 0, 0};
  data += threadIdx.x;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int s = 0; s < kSweepsInRound<kHalf>; ++s) {
      data += none;
      const float4* second = data + kHalf;
#pragma unroll kHalf / kBlock >= 64 ? 32 : kHalf / kBlock
      for (int i = 0; i < kHalf; i += kBlock) sum += data[i] * second[i];
      sum *= float4{1.3f, 1.3f, 1.3f, 1.3f};
    }
  }
  if (sum.x == 1233.0f && sum.y == 1233.0f && sum.z == 1233.0f && sum.w == 1233.0f)
    out[threadIdx.x] += sum;
}

template <int kBytes>
void measure(const char* parameters) {
  constexpr const char* kKernel =
      "one 512-thread block per CU sweeps the same buffer, float4, two streams";
  if (!accuracy::wanted(kKernel, parameters)) return;
  constexpr int kHalf = kBytes / 2 / static_cast<int>(sizeof(float4));
  const auto& device = accuracy::this_device();
  const float4 start = {1.1f, 1.1f, 1.1f, 1.1f};
  const accuracy::DeviceArray<float4> data(std::vector<float4>(2 * kHalf, start)), out(kBlock);
  const auto launch = [&](int rounds) {
    sweep<kHalf><<<device.compute_units, kBlock>>>(out.data(), data.data(), 0, rounds);
  };
  const double round_seconds = accuracy::seconds_per_trip(2, 8, launch);
  accuracy::row(
      "cache-bw", device.name, kKernel, parameters, "bandwidth",
      device.compute_units * double{kBytes} * kSweepsInRound<kHalf> / round_seconds * 1e-9, "GB/s");
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (device.is("mi210") || device.is("mi300x")) measure<16 * 1024>("footprint=16 kB");
  if (device.is("mi300x")) measure<48 * 1024>("footprint=48 kB");
  if (device.is("mi210")) measure<64 * 1024>("footprint=64 kB");
  if (device.is("mi300x")) measure<128 * 1024>("footprint=128 kB");
}
