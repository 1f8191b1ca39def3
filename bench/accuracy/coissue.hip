// What vector operations cost beside MFMAs: behind one in the same wave, and in the other wave of a
// SIMD while the first one has MFMAs.
#include "common.hpp"

constexpr int kGroups = 1000;  // in a segment of code

// Instructions on four sets of registers in turn, none of which waits for another: accumulators
// v[64:79], results v80 to v91; %0 holds bf16 ones, %1 a half, %2 two halves.
#define MFMA(registers) "v_mfma_f32_16x16x16_bf16 v[" registers "], %0, %0, 0\n"
#define ADD(number) "v_add_f32 v8" #number ", %1, %1\n"
#define EXP(number) "v_exp_f32 v8" #number ", %1\n"
#define PACKED(registers) "v_pk_add_f32 v[" registers "], %2, %2\n"
#define SEGMENT(instructions)                                                                      \
  asm volatile(                                                                                    \
      ".p2align 6\n.rept 250\n" instructions ".endr\n" ::"v"(ones), "v"(half), "v"(halves)         \
      : "v64", "v65", "v66", "v67", "v68", "v69", "v70", "v71", "v72", "v73", "v74", "v75", "v76", \
        "v77", "v78", "v79", "v80", "v81", "v82", "v83", "v84", "v85", "v86", "v87", "v88", "v89", \
        "v90", "v91")
#define GROUPS(first, second, third, fourth) \
  SEGMENT(MFMA("64:67") first MFMA("68:71") second MFMA("72:75") third MFMA("76:79") fourth)

constexpr int kPackedAdd = -1;

// 1000 groups of an MFMA and kWork additions, or one packed addition.
template <int kWork>
__device__ void groups(uint64_t ones, float half, uint64_t halves) {
#if defined(__gfx942__)
  if constexpr (kWork == 0) GROUPS("", "", "", "");
  if constexpr (kWork == 1) GROUPS(ADD(0), ADD(1), ADD(2), ADD(3));
  if constexpr (kWork == 2) GROUPS(ADD(0) ADD(1), ADD(1) ADD(2), ADD(2) ADD(3), ADD(3) ADD(0));
  if constexpr (kWork == 3)
    GROUPS(ADD(0) ADD(1) ADD(2), ADD(1) ADD(2) ADD(3), ADD(2) ADD(3) ADD(0), ADD(3) ADD(0) ADD(1));
  if constexpr (kWork == 4)
    GROUPS(ADD(0) ADD(1) ADD(2) ADD(3), ADD(1) ADD(2) ADD(3) ADD(0), ADD(2) ADD(3) ADD(0) ADD(1),
           ADD(3) ADD(0) ADD(1) ADD(2));
  if constexpr (kWork == kPackedAdd)
    GROUPS(PACKED("84:85"), PACKED("86:87"), PACKED("88:89"), PACKED("90:91"));
#endif
}

// An element of an accumulator and of each kind of result.
__device__ void store_results(float* out) {
  float product, added, packed;
  asm volatile("s_nop 15\nv_mov_b32 %0, v64\nv_mov_b32 %1, v80\nv_mov_b32 %2, v84\n"
               : "=v"(product), "=v"(added), "=v"(packed));
  out[threadIdx.x * 3] = product;
  out[threadIdx.x * 3 + 1] = added;
  out[threadIdx.x * 3 + 2] = packed;
}

template <int kWork>
__global__ void behind(int trips, uint64_t* cycles, float* out) {
  const uint64_t ones = 0x3f803f803f803f80ull, halves = 0x3f0000003f000000ull;
  const long long begin = clock64();
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) groups<kWork>(ones, 0.5f, halves);
  cycles[0] = static_cast<uint64_t>(clock64() - begin);
  store_results(out);
}

// Eight waves, two on each SIMD. The last four are a barrier behind: while one wave of a SIMD has
// MFMAs the other one has v_exp_f32.
__global__ void in_anti_phase(int trips, uint64_t* cycles, float* out) {
  const uint64_t ones = 0x3f803f803f803f80ull, halves = 0x3f0000003f000000ull;
  const float half = 0.5f;
  const int wave = __builtin_amdgcn_readfirstlane(static_cast<int>(threadIdx.x) / 64);
  const long long begin = clock64();
  if (wave >= 4) asm volatile("s_barrier");
  asm volatile("s_barrier");
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
#if defined(__gfx942__)
    GROUPS("", "", "", "");
    asm volatile("s_barrier");
    SEGMENT(EXP(0) EXP(1) EXP(2) EXP(3));
#endif
    asm volatile("s_barrier");
  }
  if (wave < 4) asm volatile("s_barrier");
  if (threadIdx.x % 64 == 0) cycles[wave] = static_cast<uint64_t>(clock64() - begin);
  store_results(out);
}

// Cycles for a group of the slowest wave: two numbers of trips, so that the ends cancel, after a
// launch that fetches the code.
static double cycles_per_group(void (*kernel)(int, uint64_t*, float*), int waves, int result,
                               float value) {
  constexpr int kFew = 2, kMany = 10;
  const accuracy::DeviceArray<uint64_t> cycles(waves);
  const accuracy::DeviceArray<float> out(waves * 64 * 3);
  const auto slowest = [&](int trips) {
    kernel<<<1, waves * 64>>>(trips, cycles.data(), out.data());
    HIP_CHECK(hipDeviceSynchronize());
    accuracy::require(out.at(0) == 16, "coissue: MFMA");
    accuracy::require(result == 0 || out.at(result) == value, "coissue: vector operation");
    const std::vector<uint64_t> all = cycles.read();
    return static_cast<double>(*std::max_element(all.begin(), all.end()));
  };
  slowest(kFew);
  return (slowest(kMany) - slowest(kFew)) / ((kMany - kFew) * kGroups);
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is_gfx942()) return 0;
  const auto print = [](const std::string& part, const char* kernel, int n, const char* metric,
                        auto cycles) {
    const std::string parameters = "N=" + std::to_string(n);
    if (!accuracy::wanted(kernel, parameters)) return;
    accuracy::row("coissue", part, kernel, parameters, metric, cycles(), "cycles");
  };
  // Once: a launch that is timed a third time takes an earlier one's result, and has no clock.
  const auto alone = [] {
    static const double cycles = cycles_per_group(behind<0>, 1, 0, 0);
    return cycles;
  };
  void (*const with[])(int, uint64_t*, float*) = {behind<1>, behind<2>, behind<3>, behind<4>};
  for (int n = 1; n <= 4; ++n)
    print("gfx942", "1 x v_mfma_f32_16x16x16_bf16 + N x v_add_f32, 1 wave", n,
          "extra cycles over the MFMA",
          [&] { return cycles_per_group(with[n - 1], 1, 1, 1) - alone(); });
  print(device.name, "1 x v_mfma_f32_16x16x16_bf16 + 1 x v_pk_add_f32, 1 wave", 1,
        "cycles per group", [] { return cycles_per_group(behind<kPackedAdd>, 1, 2, 1); });
  // A trip has two halves of 1000 groups, an MFMA on one wave and a v_exp_f32 on the other.
  print(device.name, "two waves of one SIMD in anti-phase: one MFMA against one v_exp_f32 a group",
        1, "cycles per group",
        [] { return cycles_per_group(in_anti_phase, 8, 1, 1.41421354f) / 2; });
}
