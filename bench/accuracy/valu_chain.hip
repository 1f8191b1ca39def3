// One CU, 1 to 16 waves, each a chain of one dependent operation: what the slowest wave sees.
#include "common.hpp"

constexpr int kTrips = 128;
constexpr int kPerTrip = 512;

// a = a OP b. Instructions of 8 bytes start at a multiple of 8; those of the ...At4, 4 behind one.
enum class Op { kAddConst, kAdd, kFma, kFmaConstAt4, kMulF64At4 };

// A loop over 512 times `operation`, which starts at a multiple of 64 bytes plus what `padding`
// has.
#define LOOP(padding, operation)                                 \
  ".p2align 6\n" padding "chain_loop_%=:\n.rept 512\n" operation \
  "\n.endr\n"                                                    \
  "s_sub_u32 %1, %1, 1\ns_cmp_lg_u32 %1, 0\ns_cbranch_scc1 chain_loop_%=\n"

template <Op kOp, typename T>
__device__ void chain(int trips, T& a, T b, T c) {
  if constexpr (kOp == Op::kAddConst)
    asm volatile(LOOP("", "v_add_f32 %0, 1.0, %0") : "+v"(a), "+s"(trips) : : "scc");
  if constexpr (kOp == Op::kAdd)
    asm volatile(LOOP("", "v_add_f32 %0, %0, %2") : "+v"(a), "+s"(trips) : "v"(b) : "scc");
  if constexpr (kOp == Op::kFma)
    asm volatile(LOOP("", "v_fma_f32 %0, %0, %2, %3")
                 : "+v"(a), "+s"(trips)
                 : "v"(b), "v"(c)
                 : "scc");
  if constexpr (kOp == Op::kFmaConstAt4)
    asm volatile(LOOP("s_nop 0\n", "v_fma_f32 %0, %0, 1.0, 1.0") : "+v"(a), "+s"(trips) : : "scc");
  if constexpr (kOp == Op::kMulF64At4)
    asm volatile(LOOP("s_nop 0\n", "v_mul_f64 %0, %0, %2") : "+v"(a), "+s"(trips) : "v"(b) : "scc");
}

template <Op kOp, typename T>
__global__ void run(uint64_t* cycles, double* out) {
  T a = static_cast<T>(threadIdx.x), b = 1, c = 1;
  asm volatile("" : "+v"(b), "+v"(c));
  int trips = 1;
  long long begin = 0, end = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {  // the first fetches the code
    __syncthreads();
    begin = clock64();
    chain<kOp>(trips, a, b, c);
    end = clock64();
    trips = kTrips;
  }
  if (threadIdx.x % 64 == 0) cycles[threadIdx.x / 64] = static_cast<uint64_t>(end - begin);
  out[threadIdx.x] = static_cast<double>(a);
}

template <Op kOp, typename T>
void measure(const char* kernel, std::initializer_list<int> waves_of_rows) {
  const accuracy::DeviceArray<uint64_t> cycles(16);
  const accuracy::DeviceArray<double> out(1024);
  // Work-item 1 starts with 1 and adds 1 each time, or multiplies with it.
  const double last = kOp == Op::kMulF64At4 ? 1 : 1 + (kTrips + 1) * kPerTrip;
  for (const int waves : waves_of_rows) {
    const std::string parameters = "waves=" + std::to_string(waves);
    if (!accuracy::wanted(kernel, parameters)) continue;
    run<kOp, T><<<1, 64 * waves>>>(cycles.data(), out.data());
    HIP_CHECK(hipDeviceSynchronize());
    accuracy::require(out.at(1) == last, kernel);
    const std::vector<uint64_t> all = cycles.read(0, waves);
    const double slowest = static_cast<double>(*std::max_element(all.begin(), all.end()));
    accuracy::row("valu-chain", accuracy::this_device().name, kernel, parameters, "slowest wave",
                  slowest / (kTrips * kPerTrip), "cycles/iteration");
  }
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  if (!accuracy::this_device().is("mi300x")) return 0;
  measure<Op::kAddConst, float>("a=a+const, fp32, 1 CU", {1, 8, 12, 16});
  measure<Op::kAdd, float>("a=a+b, fp32, all VGPR, 1 CU", {8});
  measure<Op::kFma, float>("a=a*b+c, fp32, all VGPR, 1 CU", {1, 8, 12, 16});
  measure<Op::kFmaConstAt4, float>("a=a*const+const, fp32, 8-byte instructions at PC%8=4, 1 CU",
                                   {8});
  measure<Op::kMulF64At4, double>("a=a*b, fp64, all VGPR, 1 CU", {12});
}
