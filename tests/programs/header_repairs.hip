// What wavetank cc mends in HIP 5.2's headers, as programs for newer HIP use it. The vector types come
// first: HIP 5.2's are other ones then.
#include <hip/hip_vector_types.h>

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_math_constants.h>

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
  return example::verdict(ok);
}
