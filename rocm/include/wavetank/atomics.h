// atomicInc and atomicDec through clang's builtins. HIP 5 calls the LLVM intrinsics
// llvm.amdgcn.atomic.inc and .dec by name; LLVM 18 made them atomicrmw operations. And the minimum
// and maximum of floating-point numbers that HIP 6 has under the name unsafeAtomic.
#pragma once

static inline __device__ unsigned int atomicInc(unsigned int* address, unsigned int limit) {
  return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "agent");
}

static inline __device__ unsigned int atomicDec(unsigned int* address, unsigned int limit) {
  return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, "agent");
}

#pragma push_macro("UNSAFE")
#define UNSAFE(Type, name, comparison)                                                          \
  static inline __device__ Type name(Type* address, Type value) {                               \
    Type old = __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);          \
    while (value comparison old &&                                                              \
           !__hip_atomic_compare_exchange_strong(address, &old, value, __ATOMIC_RELAXED,        \
                                                 __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) { \
    }                                                                                           \
    return old;                                                                                 \
  }
UNSAFE(float, unsafeAtomicMin, <)
UNSAFE(float, unsafeAtomicMax, >)
#if !defined(__gfx90a__) && !defined(__gfx942__)
UNSAFE(double, unsafeAtomicMin, <)
UNSAFE(double, unsafeAtomicMax, >)
#else
static inline __device__ double unsafeAtomicMin(double* address, double value) {
  return __builtin_amdgcn_flat_atomic_fmin_f64(address, value);
}
static inline __device__ double unsafeAtomicMax(double* address, double value) {
  return __builtin_amdgcn_flat_atomic_fmax_f64(address, value);
}
#endif
#pragma pop_macro("UNSAFE")
