// Inline assembly loads, and its result is used at once. FIXED: after s_waitcnt.
#include <hip/hip_runtime.h>

__global__ void copy(const int* in, int* out) {
  int value;
#ifdef FIXED
  asm volatile("global_load_dword %0, %1, off\n s_waitcnt vmcnt(0)" : "=v"(value) : "v"(in + threadIdx.x));
#else
  asm volatile("global_load_dword %0, %1, off" : "=v"(value) : "v"(in + threadIdx.x));
#endif
  out[threadIdx.x] = value + 1;
}

int main() {
  int *in, *out;
  (void)hipMalloc(&in, 64 * sizeof(int));
  (void)hipMalloc(&out, 64 * sizeof(int));
  (void)hipMemset(in, 0, 64 * sizeof(int));
  copy<<<1, 64>>>(in, out);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
