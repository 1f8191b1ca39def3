// Adds to HIP 5's header of this name what HIP 6's has and programs use.
#pragma once

#include <hip/hip_version.h>

#if HIP_VERSION_MAJOR < 6 && defined(__HIP__) && __clang_major__ >= 22
// Functions of clang's own header that LLVM 22 removed.
typedef _Float16 wavetank_half_pair __attribute__((ext_vector_type(2)));
static __device__ inline _Float16 __llvm_amdgcn_rcp_f16(_Float16 x) {
  return __builtin_amdgcn_rcph(x);
}
static __device__ inline wavetank_half_pair __llvm_amdgcn_rcp_2f16(wavetank_half_pair x) {
  return {__builtin_amdgcn_rcph(x.x), __builtin_amdgcn_rcph(x.y)};
}
#endif

#include_next <hip/hip_fp16.h>

#if HIP_VERSION_MAJOR < 6 && defined(__HIP__) && defined(__cplusplus)
#include <hip/hip_runtime.h>
#include <wavetank/fp16.h>
#endif
