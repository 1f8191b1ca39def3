// Inline assembly shifts a register that it has just written. FIXED: two wait states later.
#include <hip/hip_runtime.h>

__global__ void shift(int* out) {
  int value = threadIdx.x, result = 0;
#ifdef FIXED
  asm volatile("v_add_u32 %1, %1, %1\n s_nop 1\n v_mov_b32_dpp %0, %1 row_shr:1"
#else
  asm volatile("v_add_u32 %1, %1, %1\n v_mov_b32_dpp %0, %1 row_shr:1"
#endif
               : "+v"(result), "+v"(value));
  out[threadIdx.x] = result + value;
}

int main() {
  int* out;
  (void)hipMalloc(&out, 64 * sizeof(int));
  shift<<<1, 64>>>(out);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
