// What wavetank cc mends in HIP 5.2's headers and device libraries, as programs for newer HIP use
// it. The vector types come first: HIP 5.2's are other ones then.
#include <hip/hip_vector_types.h>

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_math_constants.h>

#include <cmath>
#include <limits>

#include "common/check.hpp"

static_assert(sizeof(half2) == 4 && sizeof(float3) == 12 && sizeof(float4) == 16, "layouts");

namespace groups = cooperative_groups;

__global__ void vectors(float* out, float4* v) {
  atomicAdd(&v->x, v->y + v->z);
  float* const last = &v->w;
  *last = v->x * v->y;
  out[0] = v->x - v->y;
  out[1] = *last;
}

__global__ void halves(float* out) {
  half2 v = __floats2half2_rn(1.5f, -2.0f);
  out[0] = __half2float(v.x);
  out[1] = __half2float(v.y);
  v.y = v.x;
  out[2] = __high2float(v);
  const half2 sum = __hadd2(v, half2{v.x, __float2half(3.0f)});
  out[3] = __half2float(sum.y);
  out[4] = __low2float(h2rcp(__floats2half2_rn(4.0f, 1.0f)));
}

__global__ void tiles(unsigned* out) {
  const groups::thread_block block = groups::this_thread_block();
  const auto tile = groups::tiled_partition<16>(block);
  const unsigned thread = block.thread_rank();
  out[thread] = tile.meta_group_rank() * 1000 + tile.meta_group_size();
}

// Conversions with a directed rounding, which HIP 6's __double2float_rd and its kin call.
#define CONVERSIONS(From, To, names)                          \
  extern "C" __device__ To __ocml_cvtrtn_##names(From);       \
  extern "C" __device__ To __ocml_cvtrtp_##names(From);       \
  extern "C" __device__ To __ocml_cvtrtz_##names(From);       \
  __global__ void convert_##names(const From* from, To* to) { \
    const From x = from[threadIdx.x];                         \
    to[3 * threadIdx.x] = __ocml_cvtrtn_##names(x);           \
    to[3 * threadIdx.x + 1] = __ocml_cvtrtp_##names(x);       \
    to[3 * threadIdx.x + 2] = __ocml_cvtrtz_##names(x);       \
  }
CONVERSIONS(float, _Float16, f16_f32)
CONVERSIONS(double, float, f32_f64)
CONVERSIONS(int, float, f32_s32)
CONVERSIONS(unsigned, float, f32_u32)
CONVERSIONS(long long, float, f32_s64)
CONVERSIONS(unsigned long long, float, f32_u64)
CONVERSIONS(long long, double, f64_s64)
CONVERSIONS(unsigned long long, double, f64_u64)

// The next number above; half precision by its bits.
float above(float x) { return std::nextafterf(x, INFINITY); }
double above(double x) { return std::nextafter(x, INFINITY); }
_Float16 above(_Float16 x) {
  if (x == 0) return __builtin_bit_cast(_Float16, static_cast<unsigned short>(1));
  const unsigned short bits = __builtin_bit_cast(unsigned short, x);
  return __builtin_bit_cast(_Float16, static_cast<unsigned short>(x > 0 ? bits + 1 : bits - 1));
}

// Long double holds every operand and result exactly.
template <class To>
bool rounds_down(To result, long double exact) {
  return static_cast<long double>(result) <= exact &&
         exact < static_cast<long double>(above(result));
}
template <class To>
bool rounds_up(To result, long double exact) {
  return rounds_down(static_cast<To>(-result), -exact);
}

template <class From, class To>
bool check_conversion(void (*kernel)(const From*, To*)) {
  std::vector<From> from;
  unsigned long long bits = 88172645463325252ull;
  using Limits = std::numeric_limits<From>;
  for (const From edge : {Limits::max(), Limits::lowest(), From(0), From(1), Limits::min()}) {
    from.push_back(edge);
  }
  while (from.size() < 256) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    if constexpr (Limits::is_integer) {
      from.push_back(static_cast<From>(bits >> (bits & 31)));
    } else {
      from.push_back(static_cast<From>(std::ldexp(static_cast<double>(static_cast<long long>(bits)),
                                                  static_cast<int>(bits % 48) - 84)));
    }
  }
  example::DeviceArray<From> input(from);
  example::DeviceArray<To> output(3 * from.size());
  kernel<<<1, from.size()>>>(input.data(), output.data());
  example::finish_kernel();
  const std::vector<To> to = output.read();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const long double exact = from[i];
    const bool toward_zero =
        exact < 0 ? rounds_up(to[3 * i + 2], exact) : rounds_down(to[3 * i + 2], exact);
    if (!rounds_down(to[3 * i], exact) || !rounds_up(to[3 * i + 1], exact) || !toward_zero) {
      std::printf("%.20Lg becomes %.9g, %.9g, %.9g\n", exact, static_cast<double>(to[3 * i]),
                  static_cast<double>(to[3 * i + 1]), static_cast<double>(to[3 * i + 2]));
      return false;
    }
  }
  return true;
}

bool check_conversions() {
  return check_conversion(convert_f16_f32) && check_conversion(convert_f32_f64) &&
         check_conversion(convert_f32_s32) && check_conversion(convert_f32_u32) &&
         check_conversion(convert_f32_s64) && check_conversion(convert_f32_u64) &&
         check_conversion(convert_f64_s64) && check_conversion(convert_f64_u64);
}

bool check_vectors() {
  example::DeviceArray<float> out(2);
  example::DeviceArray<float4> vector(std::vector<float4>{make_float4(1, 2, 3, 4)});
  vectors<<<1, 1>>>(out.data(), vector.data());
  example::finish_kernel();
  float4 host = vector.read()[0];
  const float* const x = &host.x;
  return out.read() == std::vector<float>{4, 12} && *x == 6 && host.x + host.y == 8;
}

bool check_halves() {
  example::DeviceArray<float> out(5);
  halves<<<1, 1>>>(out.data());
  example::finish_kernel();
  const half2 host = __floats2half2_rn(0.5f, 2.0f);
  return out.read() == std::vector<float>{1.5f, -2.0f, 1.5f, 4.5f, 0.25f} &&
         __half2float(host.y) == 2.0f;
}

bool check_tiles() {
  constexpr unsigned kThreads = 40;
  example::DeviceArray<unsigned> out(kThreads);
  tiles<<<1, kThreads>>>(out.data());
  example::finish_kernel();
  const std::vector<unsigned> values = out.read();
  bool ok = true;
  for (unsigned i = 0; i < kThreads; ++i) ok = ok && values[i] == i / 16 * 1000 + 3;
  return ok;
}

bool check_host_memory() {
  int* numbers = nullptr;
  HIP_CHECK(hipHostAlloc(&numbers, 4 * sizeof(int), hipHostAllocMapped));
  numbers[3] = 7;
  const bool ok = numbers[3] == 7;
  HIP_CHECK(hipHostFree(numbers));
  return ok;
}

int main() {
  bool ok = example::line("members of vectors", check_vectors());
  ok = example::line("members of half2", check_halves()) && ok;
  ok = example::line("tiles that know which they are", check_tiles()) && ok;
  ok = example::line("hipHostAlloc with a type", check_host_memory()) && ok;
  ok = example::line("conversions rounded in a direction", check_conversions()) && ok;
  return example::verdict(ok);
}
