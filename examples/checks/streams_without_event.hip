// A kernel on one stream reads what a kernel on another one writes. FIXED: an event orders them.
#include "memory.hpp"

__global__ void fill(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

__global__ void copy(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

int main() {
  int* const from = zeros<int>(1024);
  int* const to = zeros<int>(1024);
  hipStream_t writer, reader;
  HIP_CHECK(hipStreamCreate(&writer));
  HIP_CHECK(hipStreamCreate(&reader));
  fill<<<4, 256, 0, writer>>>(from);
#ifdef FIXED
  hipEvent_t filled;
  HIP_CHECK(hipEventCreate(&filled));
  HIP_CHECK(hipEventRecord(filled, writer));
  HIP_CHECK(hipStreamWaitEvent(reader, filled, 0));
#endif
  copy<<<4, 256, 0, reader>>>(from, to);
  return finish();
}
