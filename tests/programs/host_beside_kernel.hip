// Host calls while a kernel runs that ends only when the host says so: a call that waited for it, or
// for a lock that it holds, would wait for ever.
#include "common/check.hpp"

namespace {

constexpr size_t kBytes = 4096;

__global__ void until_told(volatile int* told) {
  while (*told == 0) __builtin_amdgcn_s_sleep(10);
}

__global__ void add_one(int* values) { atomicAdd(&values[threadIdx.x], 1); }

/// Not launched before: it has to be translated beside the kernel that runs.
__global__ void add_two(int* values) { atomicAdd(&values[threadIdx.x], 2); }

hipStream_t new_stream() {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  return stream;
}

int* pinned(size_t bytes) {
  void* memory = nullptr;
  HIP_CHECK(hipHostMalloc(&memory, bytes));
  return static_cast<int*>(memory);
}

}  // namespace

int main() {
  example::DeviceArray<int> values(64), other(kBytes / 4);
  values.clear();
  // The fill may still run, and non-blocking streams do not wait for it.
  HIP_CHECK(hipDeviceSynchronize());
  int* const told = pinned(64);
  int* const host = pinned(kBytes);
  *told = 0;
  const hipStream_t busy = new_stream(), idle = new_stream();
  until_told<<<4, 64, 0, busy>>>(told);

  add_one<<<1, 64, 0, busy>>>(values.data());
  add_two<<<1, 64, 0, idle>>>(values.data());
  HIP_CHECK(hipStreamSynchronize(idle));
  bool ok = example::line("a new kernel runs beside", values.read()[5] == 2);

  hipEvent_t behind, beside;
  HIP_CHECK(hipEventCreate(&behind));
  HIP_CHECK(hipEventCreate(&beside));
  HIP_CHECK(hipEventRecord(behind, busy));
  HIP_CHECK(hipEventRecord(beside, idle));
  HIP_CHECK(hipMemcpyAsync(other.data(), host, kBytes, hipMemcpyHostToDevice, busy));
  HIP_CHECK(hipMemcpyAsync(host, other.data(), kBytes, hipMemcpyDeviceToHost, busy));
  HIP_CHECK(hipMemsetAsync(other.data(), 1, kBytes, busy));
  void* memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, 1 << 20));
  HIP_CHECK(hipMemset(memory, 1, 1 << 20));
  HIP_CHECK(hipMemcpy(memory, memory, 64, hipMemcpyDeviceToDevice));
  ok = example::line("an event beside is done", hipEventQuery(beside) == hipSuccess) && ok;
  ok = example::line("an event behind is not", hipEventQuery(behind) == hipErrorNotReady) && ok;
  ok = example::line("nor is the stream", hipStreamQuery(busy) == hipErrorNotReady) && ok;

  *static_cast<volatile int*>(told) = 1;
  HIP_CHECK(hipDeviceSynchronize());
  ok = example::line("what was behind has run", values.read()[5] == 3) && ok;
  return example::verdict(ok);
}
