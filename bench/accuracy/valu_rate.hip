// One wave, unrolled: cycles between independent instructions of one kind.
#include "common.hpp"

constexpr int kTrips = 32;
constexpr int kPerTrip = 2048;  // 512 times four independent instructions

enum class Op { kAdd, kMul, kFma, kPkMul, kExp, kRcp, kCmp, kCndmask };

// 2048 instructions of the kind, in four registers (of 64 bits for packed ones).
template <Op kOp, typename T>
__device__ void body(T& a, T& b, T& c, T& d, T one) {
  if constexpr (kOp == Op::kAdd)
    asm volatile(
        ".p2align 6\n.rept 512\n"
        "v_add_f32 %0, %4, %4\n"
        "v_add_f32 %1, %4, %4\n"
        "v_add_f32 %2, %4, %4\n"
        "v_add_f32 %3, %4, %4\n"
        ".endr\n"
        : "+v"(a), "+v"(b), "+v"(c), "+v"(d)
        : "v"(one)
        : "vcc");
  if constexpr (kOp == Op::kMul)
    asm volatile(
        ".p2align 6\n.rept 512\n"
        "v_mul_f32 %0, %4, %4\n"
        "v_mul_f32 %1, %4, %4\n"
        "v_mul_f32 %2, %4, %4\n"
        "v_mul_f32 %3, %4, %4\n"
        ".endr\n"
        : "+v"(a), "+v"(b), "+v"(c), "+v"(d)
        : "v"(one)
        : "vcc");
  if constexpr (kOp == Op::kFma)
    asm volatile(
        ".p2align 6\n.rept 512\n"
        "v_fma_f32 %0, %4, %4, %4\n"
        "v_fma_f32 %1, %4, %4, %4\n"
        "v_fma_f32 %2, %4, %4, %4\n"
        "v_fma_f32 %3, %4, %4, %4\n"
        ".endr\n"
        : "+v"(a), "+v"(b), "+v"(c), "+v"(d)
        : "v"(one)
        : "vcc");
  if constexpr (kOp == Op::kPkMul)
    asm volatile(
        ".p2align 6\n.rept 512\n"
        "v_pk_mul_f32 %0, %4, %4\n"
        "v_pk_mul_f32 %1, %4, %4\n"
        "v_pk_mul_f32 %2, %4, %4\n"
        "v_pk_mul_f32 %3, %4, %4\n"
        ".endr\n"
        : "+v"(a), "+v"(b), "+v"(c), "+v"(d)
        : "v"(one)
        : "vcc");
  if constexpr (kOp == Op::kExp)
    asm volatile(
        ".p2align 6\n.rept 512\n"
        "v_exp_f32 %0, %4\n"
        "v_exp_f32 %1, %4\n"
        "v_exp_f32 %2, %4\n"
        "v_exp_f32 %3, %4\n"
        ".endr\n"
        : "+v"(a), "+v"(b), "+v"(c), "+v"(d)
        : "v"(one)
        : "vcc");
  if constexpr (kOp == Op::kRcp)
    asm volatile(
        ".p2align 6\n.rept 512\n"
        "v_rcp_f32 %0, %4\n"
        "v_rcp_f32 %1, %4\n"
        "v_rcp_f32 %2, %4\n"
        "v_rcp_f32 %3, %4\n"
        ".endr\n"
        : "+v"(a), "+v"(b), "+v"(c), "+v"(d)
        : "v"(one)
        : "vcc");
  if constexpr (kOp == Op::kCmp)
    asm volatile(
        ".p2align 6\n.rept 512\n"
        "v_cmp_gt_f32 vcc, %4, %0\n"
        "v_cmp_gt_f32 vcc, %4, %1\n"
        "v_cmp_gt_f32 vcc, %4, %2\n"
        "v_cmp_gt_f32 vcc, %4, %3\n"
        ".endr\n"
        : "+v"(a), "+v"(b), "+v"(c), "+v"(d)
        : "v"(one)
        : "vcc");
  if constexpr (kOp == Op::kCndmask)
    asm volatile(
        ".p2align 6\n.rept 512\n"
        "v_cndmask_b32 %0, %4, %4, vcc\n"
        "v_cndmask_b32 %1, %4, %4, vcc\n"
        "v_cndmask_b32 %2, %4, %4, vcc\n"
        "v_cndmask_b32 %3, %4, %4, vcc\n"
        ".endr\n"
        : "+v"(a), "+v"(b), "+v"(c), "+v"(d)
        : "v"(one)
        : "vcc");
}

template <Op kOp, typename T>
__global__ void rate(uint64_t* cycles, T* out) {
  T a = 0, b = 0, c = 0, d = 0, one = 0;
  asm volatile("" : "+v"(a), "+v"(b), "+v"(c), "+v"(d), "+v"(one));
  long long begin = 0;
#pragma unroll 1
  for (int trip = -1; trip < kTrips; ++trip) {  // the first fetches the code
    if (trip == 0) begin = clock64();
    body<kOp>(a, b, c, d, one);
  }
  const long long end = clock64();
  cycles[0] = static_cast<uint64_t>(end - begin);
  out[threadIdx.x] = a ^ b ^ c ^ d;
}

template <Op kOp, typename T = uint32_t>
void measure(const char* kernel) {
  constexpr const char* kParameters = "1 wave, unrolled";
  if (!accuracy::wanted(kernel, kParameters)) return;
  accuracy::DeviceArray<uint64_t> cycles(1);
  accuracy::DeviceArray<T> out(64);
  rate<kOp, T><<<1, 64>>>(cycles.data(), out.data());
  HIP_CHECK(hipDeviceSynchronize());
  accuracy::row("valu-rate", "gfx942", kernel, kParameters, "issue interval",
                static_cast<double>(cycles.at(0)) / (kTrips * kPerTrip), "cycles");
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  if (!accuracy::this_device().is_gfx942()) return 0;
  measure<Op::kAdd>("v_add_f32");
  measure<Op::kMul>("v_mul_f32");
  measure<Op::kFma>("v_fma_f32");
  measure<Op::kPkMul, uint64_t>("v_pk_mul_f32");
  measure<Op::kExp>("v_exp_f32");
  measure<Op::kRcp>("v_rcp_f32");
  measure<Op::kCmp>("v_cmp_*_f32");
  measure<Op::kCndmask>("v_cndmask_b32");
}
