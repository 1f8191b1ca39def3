// The other code object of calls_across_objects.hip.
#include "common/check.hpp"

using Function = float (*)(float, float*, int);

/// Reads LDS that the caller wrote, keeps a stack frame, and waits for its workgroup.
__device__ __noinline__ float halve_and_add(float value, float* row, int lane) {
  volatile float stack[4] = {value, 0.5f, 1.0f, row[(lane + 1) % 256]};
  __syncthreads();
  return stack[0] * stack[1] + stack[2] + stack[3];
}

__device__ Function pointer = halve_and_add;

Function function_of_other() {
  Function function;
  HIP_CHECK(hipMemcpyFromSymbol(&function, HIP_SYMBOL(pointer), sizeof function));
  return function;
}
