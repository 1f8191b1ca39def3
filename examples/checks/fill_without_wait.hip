// hipMemset on the null stream, which a stream of hipStreamNonBlocking does not wait for. FIXED:
// the fill is on the kernel's own stream.
#include "memory.hpp"

__global__ void add_one(int* memory) { memory[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

int main() {
  int* memory = nullptr;
  hipStream_t stream;
  HIP_CHECK(hipMalloc(&memory, 4096));
  HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
#ifdef FIXED
  HIP_CHECK(hipMemsetAsync(memory, 0, 4096, stream));
#else
  HIP_CHECK(hipMemset(memory, 0, 4096));
#endif
  add_one<<<4, 256, 0, stream>>>(memory);
  return finish();
}
