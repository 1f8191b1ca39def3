// atomicInc and atomicDec through clang's builtins. HIP 5 calls the LLVM intrinsics
// llvm.amdgcn.atomic.inc and .dec by name; LLVM 18 made them atomicrmw operations.
#pragma once

static inline __device__ unsigned int atomicInc(unsigned int* address, unsigned int limit) {
  return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "agent");
}

static inline __device__ unsigned int atomicDec(unsigned int* address, unsigned int limit) {
  return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, "agent");
}
