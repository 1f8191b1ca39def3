// Atomics of every kind from many workgroups at once: on memory, on the LDS, with and without a
// result, of 32 and 64 bits, integer and floating-point.
#include "common/check.hpp"

constexpr int kBlocks = 40, kThreads = 192;
constexpr int kCount = kBlocks * kThreads;

template <typename T>
__global__ void integers(T* a) {
  const T i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&a[0], i);
  atomicMax(&a[1], i * 7 % 5003);
  atomicMin(&a[2], i * 7 % 5003 + 3);
  atomicAnd(&a[3], ~(T{1} << (i % 20)));
  atomicOr(&a[4], T{1} << (i % 31));
  atomicXor(&a[5], i);
  atomicExch(&a[6], T{77});
  T seen = a[7];
  for (T expected;;) {
    expected = seen;
    seen = atomicCAS(&a[7], expected, expected + 3);
    if (seen == expected) break;
  }
}

template <typename T>
__global__ void floats(T* a) {
  __shared__ T partial;
  if (threadIdx.x == 0) partial = 0;
  __syncthreads();
  const T own = static_cast<T>(threadIdx.x % 16) * T(0.25);
  atomicAdd(&partial, own);
  __syncthreads();
  atomicAdd(&a[0], own);
  if (threadIdx.x == 0) atomicAdd(&a[1], partial);
}

// A unique ticket for each work-item: needs the value before the addition.
__global__ void tickets(unsigned* next, unsigned* taken) {
  atomicAdd(&taken[atomicAdd(next, 1u)], 1u);
}

template <typename T>
static bool integers_right() {
  std::vector<T> a = {0, 0, T(1) << 30, ~T(0), 0, 0, 0, 0};
  example::DeviceArray<T> device(a);
  integers<T><<<kBlocks, kThreads>>>(device.data());
  example::finish_kernel();
  for (T i = 0; i < kCount; ++i) {
    a[0] += i;
    a[1] = std::max<T>(a[1], i * 7 % 5003);
    a[2] = std::min<T>(a[2], i * 7 % 5003 + 3);
    a[3] &= ~(T{1} << (i % 20));
    a[4] |= T{1} << (i % 31);
    a[5] ^= i;
    a[6] = 77;
    a[7] += 3;
  }
  return device.read() == a;
}

template <typename T>
static bool floats_right() {
  example::DeviceArray<T> device(2);
  device.clear();
  floats<T><<<kBlocks, kThreads>>>(device.data());
  example::finish_kernel();
  const T expected = kCount / 16 * T(0.25 * 120);
  return device.read() == std::vector<T>{expected, expected};
}

static bool tickets_right() {
  example::DeviceArray<unsigned> next(1), taken(kCount);
  next.clear();
  taken.clear();
  tickets<<<kBlocks, kThreads>>>(next.data(), taken.data());
  example::finish_kernel();
  return taken.read() == std::vector<unsigned>(kCount, 1);
}

int main() {
  bool ok = example::line("int", integers_right<int>());
  ok = example::line("unsigned", integers_right<unsigned>()) && ok;
  ok = example::line("unsigned long long", integers_right<unsigned long long>()) && ok;
  ok = example::line("float", floats_right<float>()) && ok;
  ok = example::line("double", floats_right<double>()) && ok;
  ok = example::line("tickets", tickets_right()) && ok;
  return example::verdict(ok);
}
