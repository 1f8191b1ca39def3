// The wave functions and atomics that the repair headers add give the right answers on a device.
#include <hip/hip_bf16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>

#include <cstdio>

namespace {

constexpr int kLanes = 64;

struct Answers {
  unsigned long long active, odd, match, match_all;
  unsigned shuffled, up, down, crossed, sum, least, most, all_or, all_and, all_xor;
  int same, any, all;
  float bf16, fp8;
};

__global__ void ask(Answers* answers, unsigned* counters) {
  const unsigned lane = threadIdx.x;
  Answers& a = answers[lane];
  const unsigned long long mask = __activemask();
  a.active = mask;
  a.odd = __ballot_sync(mask, lane & 1);
  a.match = __match_any_sync(mask, lane % 3);
  a.match_all = __match_all_sync(mask, 7u, &a.same);
  a.shuffled = __shfl_sync(mask, lane * 10, 5);
  a.up = __shfl_up_sync(mask, lane, 2);
  a.down = __shfl_down_sync(mask, lane, 2);
  a.crossed = __shfl_xor_sync(mask, lane, 9);
  a.sum = __reduce_add_sync(mask, lane);
  a.least = __reduce_min_sync(mask, lane + 3);
  a.most = __reduce_max_sync(mask, lane + 3);
  a.all_or = __reduce_or_sync(mask, lane);
  a.all_and = __reduce_and_sync(mask, lane | 64);
  a.all_xor = __reduce_xor_sync(mask, lane);
  a.any = __any_sync(mask, lane == 63);
  a.all = __all_sync(mask, lane < 63);
  __syncwarp();
  a.bf16 = __hip_bfloat16(1.0f + lane / 128.0f) * __hip_bfloat16(2.0f);
  a.fp8 = __hip_fp8_e4m3_fnuz(static_cast<float>(lane) + 0.3f);
  atomicInc(&counters[0], 9);   // 64 steps through 0..9
  atomicDec(&counters[1], 9);   // 64 steps through 9..0
}

int failures = 0;

template <class T>
void expect(const char* what, unsigned lane, T actual, T expected) {
  if (actual == expected) return;
  ++failures;
  std::printf("%s, lane %u: %g instead of %g\n", what, lane, double(actual), double(expected));
}

void check(const Answers& a, unsigned lane) {
  unsigned long long match = 0;
  for (unsigned other = lane % 3; other < kLanes; other += 3) match |= 1ull << other;
  expect("__activemask", lane, a.active, ~0ull);
  expect("__ballot_sync", lane, a.odd, 0xaaaaaaaaaaaaaaaaull);
  expect("__match_any_sync", lane, a.match, match);
  expect("__match_all_sync", lane, a.match_all, ~0ull);
  expect("its flag", lane, a.same, 1);
  expect("__shfl_sync", lane, a.shuffled, 50u);
  expect("__shfl_up_sync", lane, a.up, lane < 2 ? lane : lane - 2);
  expect("__shfl_down_sync", lane, a.down, lane < 62 ? lane + 2 : lane);
  expect("__shfl_xor_sync", lane, a.crossed, lane ^ 9);
  expect("__reduce_add_sync", lane, a.sum, 2016u);
  expect("__reduce_min_sync", lane, a.least, 3u);
  expect("__reduce_max_sync", lane, a.most, 66u);
  expect("__reduce_or_sync", lane, a.all_or, 63u);
  expect("__reduce_and_sync", lane, a.all_and, 64u);
  expect("__reduce_xor_sync", lane, a.all_xor, 0u);
  expect("__any_sync", lane, a.any, 1);
  expect("__all_sync", lane, a.all, 0);
  const float bf16 = __hip_bfloat16(1.0f + lane / 128.0f) * __hip_bfloat16(2.0f);
  expect("bfloat16 product", lane, a.bf16, bf16);
  expect("fp8", lane, a.fp8, float(__hip_fp8_e4m3_fnuz(static_cast<float>(lane) + 0.3f)));
}

}  // namespace

int main() {
  Answers* answers = nullptr;
  unsigned* counters = nullptr;
  if (hipMallocManaged(reinterpret_cast<void**>(&answers), kLanes * sizeof(Answers)) != hipSuccess ||
      hipMallocManaged(reinterpret_cast<void**>(&counters), 8) != hipSuccess) {
    return 2;
  }
  counters[0] = counters[1] = 0;
  ask<<<1, kLanes>>>(answers, counters);
  if (hipDeviceSynchronize() != hipSuccess) return 2;
  for (unsigned lane = 0; lane < kLanes; ++lane) check(answers[lane], lane);
  expect("atomicInc", 0, counters[0], 64u % 10);
  expect("atomicDec", 0, counters[1], 6u);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
