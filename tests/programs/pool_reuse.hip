// Kernels on memory of a pool that serves many allocations in turn, on one stream and on several;
// with an argument, a kernel that still uses memory it gave back.
#include <string>

#include "common/check.hpp"

constexpr int kCount = 4096;
constexpr std::size_t kBytes = kCount * sizeof(int);

__global__ void fill(int* out, int first) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = first + blockIdx.x * blockDim.x + threadIdx.x;
}
__global__ void accumulate(int* sum, const int* part) {
  sum[blockIdx.x * blockDim.x + threadIdx.x] += part[blockIdx.x * blockDim.x + threadIdx.x];
}

int* allocate(hipStream_t stream) {
  int* memory = nullptr;
  HIP_CHECK(hipMallocAsync(reinterpret_cast<void**>(&memory), kBytes, stream));
  return memory;
}

std::uint64_t reserved() {
  hipMemPool_t pool;
  std::uint64_t bytes = 0;
  HIP_CHECK(hipDeviceGetDefaultMemPool(&pool, 0));
  HIP_CHECK(hipMemPoolGetAttribute(pool, hipMemPoolAttrReservedMemCurrent, &bytes));
  return bytes;
}

// Every part has the same memory: the next is allocated before the stream has freed the last.
bool in_turn() {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  example::DeviceArray<int> sum(std::vector<int>(kCount, 0));
  bool same = true;
  int* const first = allocate(stream);
  HIP_CHECK(hipFreeAsync(first, stream));
  for (int i = 0; i < 20; ++i) {
    int* const part = allocate(stream);
    same = same && part == first;
    fill<<<kCount / 256, 256, 0, stream>>>(part, i);
    accumulate<<<kCount / 256, 256, 0, stream>>>(sum.data(), part);
    HIP_CHECK(hipFreeAsync(part, stream));
  }
  bool ok = example::line("one piece of memory for all", same && reserved() == kBytes);
  HIP_CHECK(hipStreamSynchronize(stream));
  ok = example::line("nothing is kept after a wait", reserved() == 0) && ok;
  const std::vector<int> result = sum.read();
  bool right = true;
  for (int i = 0; i < kCount; ++i) right = right && result[i] == 20 * i + 190;
  HIP_CHECK(hipStreamDestroy(stream));
  return example::line("sums of all parts", right) && ok;
}

// The second stream has the memory of the first once it waits for an event behind the free.
bool handed_on() {
  hipStream_t a, b;
  hipEvent_t freed;
  HIP_CHECK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  HIP_CHECK(hipEventCreate(&freed));
  int* const first = allocate(a);
  std::vector<int> of_a(kCount), of_b(kCount);
  HIP_CHECK(hipHostRegister(of_a.data(), kBytes, 0));
  HIP_CHECK(hipHostRegister(of_b.data(), kBytes, 0));
  fill<<<kCount / 256, 256, 0, a>>>(first, 1);
  HIP_CHECK(hipMemcpyAsync(of_a.data(), first, kBytes, hipMemcpyDeviceToHost, a));
  HIP_CHECK(hipFreeAsync(first, a));
  HIP_CHECK(hipEventRecord(freed, a));
  HIP_CHECK(hipStreamWaitEvent(b, freed, 0));
  int* const second = allocate(b);
  fill<<<kCount / 256, 256, 0, b>>>(second, 1000);
  HIP_CHECK(hipMemcpyAsync(of_b.data(), second, kBytes, hipMemcpyDeviceToHost, b));
  HIP_CHECK(hipFreeAsync(second, b));
  HIP_CHECK(hipDeviceSynchronize());
  bool right = second == first;
  for (int i = 0; i < kCount; ++i) right = right && of_a[i] == 1 + i && of_b[i] == 1000 + i;
  HIP_CHECK(hipHostUnregister(of_a.data()));
  HIP_CHECK(hipHostUnregister(of_b.data()));
  HIP_CHECK(hipEventDestroy(freed));
  HIP_CHECK(hipStreamDestroy(a));
  HIP_CHECK(hipStreamDestroy(b));
  return example::line("memory goes on to another stream", right);
}

// The second kernel comes between the free and the next allocation, which is the same memory.
bool use_after_free() {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  int* const first = allocate(stream);
  fill<<<kCount / 256, 256, 0, stream>>>(first, 1);
  HIP_CHECK(hipFreeAsync(first, stream));
  fill<<<kCount / 256, 256, 0, stream>>>(first, 2);
  int* const second = allocate(stream);
  fill<<<kCount / 256, 256, 0, stream>>>(second, 3);
  std::printf("the same memory: %s\n", second == first ? "yes" : "no");
  return hipStreamSynchronize(stream) == hipSuccess;
}

int main(int argc, char**) {
  if (argc == 2) return example::verdict(use_after_free());
  bool ok = in_turn();
  ok = handed_on() && ok;
  return example::verdict(ok);
}
