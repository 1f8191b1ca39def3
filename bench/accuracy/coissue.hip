// One MFMA and N vector additions behind it, one wave: what the additions cost beyond the MFMA.
#include "common.hpp"

constexpr int kTrips = 16;
constexpr int kPerTrip = 512;

using Float4 = __attribute__((__vector_size__(4 * sizeof(float)))) float;

template <int kAdds>
__global__ void coissue(uint64_t* cycles, float* out) {
  Float4 sum = {0, 0, 0, 0};
  uint64_t ones = 0x3f803f803f803f80ull;  // bf16
  float a = 0;
  asm volatile("" : "+v"(sum), "+v"(ones), "+v"(a));
  long long begin = 0;
#pragma unroll 1
  for (int trip = -1; trip < kTrips; ++trip) {  // the first fetches the code
    if (trip == 0) begin = clock64();
#if defined(__gfx942__)
    asm volatile(
        ".p2align 6\n"
        ".rept 512\n"
        "v_mfma_f32_16x16x16_bf16 %0, %2, %2, %0\n"
        ".rept %3\n"
        "v_add_f32 %1, 1.0, %1\n"
        ".endr\n"
        ".endr\n"
        : "+v"(sum), "+v"(a)
        : "v"(ones), "n"(kAdds));
#endif
  }
  // The last MFMA's result is read 11 slots after it at the earliest.
  asm volatile("s_nop 15" : "+v"(sum));
  const long long end = clock64();
  cycles[0] = static_cast<uint64_t>(end - begin);
  out[threadIdx.x] = sum[0] + a;
}

// Cycles for an MFMA and its additions.
template <int kAdds>
double interval() {
  accuracy::DeviceArray<uint64_t> cycles(1);
  accuracy::DeviceArray<float> out(64);
  coissue<kAdds><<<1, 64>>>(cycles.data(), out.data());
  HIP_CHECK(hipDeviceSynchronize());
  accuracy::require(out.at(0) == (kTrips + 1) * kPerTrip * (16.0f + kAdds), "coissue");
  return static_cast<double>(cycles.at(0)) / (kTrips * kPerTrip);
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  if (!accuracy::this_device().is_gfx942()) return 0;
  const double alone = interval<0>();
  const double with[] = {interval<1>(), interval<2>(), interval<3>(), interval<4>()};
  for (int n = 1; n <= 4; ++n)
    accuracy::row("coissue", "gfx942", "1 x v_mfma_f32_16x16x16_bf16 + N x v_add_f32, 1 wave",
                  "N=" + std::to_string(n), "extra cycles over the MFMA", with[n - 1] - alone,
                  "cycles");
}
