// The host reads what hipMemcpyAsync is still to write. FIXED: it waits for the stream.
#include "memory.hpp"

int main() {
  int* const memory = zeros<int>(1024);
  int* result = nullptr;
  hipStream_t stream;
  HIP_CHECK(hipHostMalloc(&result, 4096, hipHostMallocDefault));
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipMemcpyAsync(result, memory, 4096, hipMemcpyDeviceToHost, stream));
#ifdef FIXED
  HIP_CHECK(hipStreamSynchronize(stream));
#endif
  const int first = result[0];
  HIP_CHECK(hipDeviceSynchronize());
  return first;
}
