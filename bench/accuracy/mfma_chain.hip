// Chains of one dependent matrix instruction on one accumulator, 1 to 4 waves on each SIMD of a CU.
#include "common.hpp"

using Half4 = __attribute__((__vector_size__(4 * sizeof(_Float16)))) _Float16;
using Float4 = __attribute__((__vector_size__(4 * sizeof(float)))) float;
using Double4 = __attribute__((__vector_size__(4 * sizeof(double)))) double;

constexpr int kTrips = 16;
constexpr int kPerTrip = 512;

__global__ void f16_chain(uint64_t* cycles, double* out) {
  const Half4 ones = {1, 1, 1, 1};
  Float4 sum = {0, 0, 0, 0};
  long long begin = 0;
#pragma unroll 1
  for (int trip = -1; trip < kTrips; ++trip) {  // the first fetches the code
    if (trip == 0) {
      __syncthreads();
      begin = clock64();
    }
#pragma unroll
    for (int i = 0; i < kPerTrip; ++i)
      sum = __builtin_amdgcn_mfma_f32_16x16x16f16(ones, ones, sum, 0, 0, 0);
  }
  asm volatile("" : "+v"(sum));
  const long long end = clock64();
  if (threadIdx.x % 64 == 0) cycles[threadIdx.x / 64] = static_cast<uint64_t>(end - begin);
  out[threadIdx.x] = sum[0];
}

__global__ void f64_chain(uint64_t* cycles, double* out) {
  Double4 sum = {0, 0, 0, 0};
  long long begin = 0;
#pragma unroll 1
  for (int trip = -1; trip < kTrips; ++trip) {  // the first fetches the code
    if (trip == 0) {
      __syncthreads();
      begin = clock64();
    }
#pragma unroll
    for (int i = 0; i < kPerTrip; ++i)
      sum = __builtin_amdgcn_mfma_f64_16x16x4f64(1.0, 1.0, sum, 0, 0, 0);
  }
  asm volatile("" : "+v"(sum));
  const long long end = clock64();
  if (threadIdx.x % 64 == 0) cycles[threadIdx.x / 64] = static_cast<uint64_t>(end - begin);
  out[threadIdx.x] = sum[0];
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi300x")) return 0;
  accuracy::DeviceArray<uint64_t> cycles(16);
  accuracy::DeviceArray<double> out(1024);
  struct Chain {
    const char* kernel;
    void (*launch)(uint64_t*, double*);
    int k;  // products in an element
  };
  const Chain chains[] = {{"v_mfma_f32_16x16x16_f16 accumulate chain", f16_chain, 16},
                          {"v_mfma_f64_16x16x4_f64 accumulate chain", f64_chain, 4}};
  for (int waves = 1; waves <= 4; ++waves) {
    for (const Chain& chain : chains) {
      const std::string parameters = "waves per SIMD=" + std::to_string(waves);
      if (!accuracy::wanted(chain.kernel, parameters)) continue;
      chain.launch<<<1, 256 * waves>>>(cycles.data(), out.data());
      HIP_CHECK(hipDeviceSynchronize());
      accuracy::require(out.at(0) == (kTrips + 1) * kPerTrip * chain.k, chain.kernel);
      const std::vector<uint64_t> all = cycles.read(0, 4 * waves);
      const double slowest = static_cast<double>(*std::max_element(all.begin(), all.end()));
      accuracy::row("mfma-chain", device.name, chain.kernel, parameters, "slowest wave",
                    slowest / (kTrips * kPerTrip), "cycles/iteration");
    }
  }
}
