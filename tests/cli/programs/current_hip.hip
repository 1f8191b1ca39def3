// What current HIP sources use and Debian's HIP 5 headers lack or get wrong under clang 19.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void indices(unsigned* out) {
  printf("%u %u %u %u\n", threadIdx.x, blockIdx.y, blockDim.z, gridDim.x);
  printf("%u\n", hipThreadIdx_x);
  const auto& all = threadIdx;
  const dim3 size = blockDim;
  const size_t total = blockDim.x * gridDim.x;
  out[all.x] = max(threadIdx.x, 3u) + min(blockIdx.x * blockDim.x, size.y) + total;
}

__global__ void counters(unsigned* out) {
  __shared__ unsigned shared;
  if (threadIdx.x == 0) shared = 0;
  __syncthreads();
  atomicInc(&shared, 7u);
  atomicDec(out, 9u);
  __syncthreads();
  out[1] = shared;
}

__global__ void waves(unsigned* out, unsigned long long* wide, double* real) {
  const unsigned long long mask = __activemask();
  __syncwarp();
  __syncwarp(mask);
  const unsigned lane = threadIdx.x;
  out[0] = __shfl_sync(mask, lane, 3) + __shfl_up_sync(mask, lane, 1) +
           __shfl_down_sync(mask, lane, 1) + __shfl_xor_sync(mask, lane, 16, 32);
  wide[0] = __shfl_xor(wide[lane], 1) + __ballot_sync(mask, lane > 3) + __match_any(lane & 3) +
            __match_any_sync(mask, lane & 7);
  real[0] = __shfl_xor_sync(mask, real[lane], 2);
  int same = 0;
  wide[1] = __match_all_sync(mask, 5, &same);
  out[1] = __any_sync(mask, lane == 4) + __all_sync(mask, lane < 64) +
           __reduce_add_sync(mask, lane) + __reduce_max_sync(mask, lane) +
           __reduce_min_sync(mask, lane) + __reduce_or_sync(mask, lane) +
           __reduce_and_sync(mask, lane) + __reduce_xor_sync(mask, lane);
}

__global__ void narrow(__hip_bfloat16* a, __hip_bfloat162* b, __half* h, __hip_fp8_e4m3_fnuz* f) {
  const int i = threadIdx.x;
  a[i] = a[i] * a[i + 1] + __float2bfloat16(0.5f);
  a[i] += hexp(a[i]);
  if (a[i] > a[i + 1] && !__hisnan(a[i])) a[i] = __hmax(a[i], -a[i]);
  b[i] = __hfma2(b[i], b[i + 1], __float22bfloat162_rn(make_float2(1, 2)));
  atomicAdd(b, b[i + 2]);
  h[i] = __float2half(__bfloat162float(a[i]));
  f[i] = __hip_fp8_e4m3_fnuz(__half2float(h[i]));
  h[i] = __float2half(static_cast<float>(f[i]));
  a[i] = __shfl_xor(a[i], 1);
}

__global__ void halves(__half* h, __half2* pairs) {
  const int i = threadIdx.x;
  h[i] = __hmax(h[i], __shfl_xor(h[i + 1], 1)) * __hmin(h[i], __shfl(h[i], 3));
  pairs[i] = __hmax2(pairs[i], __shfl_down(pairs[i], 1));
  unsafeAtomicAdd(pairs, pairs[i]);
}

template <class T>
T host_sum(T a, T b) {
  T sum = a * b - a / b;
  sum += -a;
  return sum > b ? sum : b;
}

__global__ void groups(int* out) {
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  out[block.thread_rank()] = tile.shfl_down(out[tile.thread_rank()], 1);
  block.sync();
}

int main() { return __half2float(host_sum(__float2half(1), __float2half(2))) == 2 ? 0 : 1; }
