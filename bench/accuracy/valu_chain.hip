// One CU, 1 to 16 waves, each a chain of one dependent fp32 operation: what the slowest wave sees.
#include "common.hpp"

constexpr int kTrips = 32;
constexpr int kPerTrip = 2048;

// a = a + const: a constant operand.
__global__ void add_chain(uint64_t* cycles, float* out) {
  float a = static_cast<float>(threadIdx.x);
  long long begin = 0;
#pragma unroll 1
  for (int trip = -1; trip < kTrips; ++trip) {  // the first fetches the code
    if (trip == 0) {
      __syncthreads();
      begin = clock64();
    }
    asm volatile(
        ".p2align 6\n"
        ".rept 2048\n"
        "v_add_f32 %0, 1.0, %0\n"
        ".endr\n"
        : "+v"(a));
  }
  const long long end = clock64();
  if (threadIdx.x % 64 == 0) cycles[threadIdx.x / 64] = static_cast<uint64_t>(end - begin);
  out[threadIdx.x] = a;
}

// a = a*b + c: all operands in VGPRs.
__global__ void fma_chain(uint64_t* cycles, float* out) {
  float a = static_cast<float>(threadIdx.x), b = 1.0f, c = 1.0f;
  asm volatile("" : "+v"(b), "+v"(c));
  long long begin = 0;
#pragma unroll 1
  for (int trip = -1; trip < kTrips; ++trip) {  // the first fetches the code
    if (trip == 0) {
      __syncthreads();
      begin = clock64();
    }
    asm volatile(
        ".p2align 6\n"
        ".rept 2048\n"
        "v_fma_f32 %0, %0, %1, %2\n"
        ".endr\n"
        : "+v"(a)
        : "v"(b), "v"(c));
  }
  const long long end = clock64();
  if (threadIdx.x % 64 == 0) cycles[threadIdx.x / 64] = static_cast<uint64_t>(end - begin);
  out[threadIdx.x] = a;
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi300x")) return 0;
  accuracy::DeviceArray<uint64_t> cycles(16);
  accuracy::DeviceArray<float> out(1024);
  struct Chain {
    const char* kernel;
    void (*launch)(uint64_t*, float*);
  };
  const Chain chains[] = {{"a=a+const, fp32, 1 CU", add_chain},
                          {"a=a*b+c, fp32, all VGPR, 1 CU", fma_chain}};
  for (const Chain& chain : chains) {
    for (const int waves : {1, 8, 12, 16}) {
      const std::string parameters = "waves=" + std::to_string(waves);
      if (!accuracy::wanted(chain.kernel, parameters)) continue;
      chain.launch<<<1, 64 * waves>>>(cycles.data(), out.data());
      HIP_CHECK(hipDeviceSynchronize());
      accuracy::require(out.at(0) == (kTrips + 1) * kPerTrip, chain.kernel);
      const std::vector<uint64_t> all = cycles.read(0, waves);
      const double slowest = static_cast<double>(*std::max_element(all.begin(), all.end()));
      accuracy::row("valu-chain", device.name, chain.kernel, parameters, "slowest wave",
                    slowest / (kTrips * kPerTrip), "cycles/iteration");
    }
  }
}
