// Wave functions that HIP 6 has and HIP 5 lacks: those with an explicit mask, __activemask,
// __match_*, __reduce_*_sync. All lanes of a wave execute together, so a mask need not be enforced;
// it selects which lanes' answers count. The mask is any 64-bit integer, as in HIP 6.
#pragma once

namespace wavetank_hip {

template <class Mask>
__device__ __forceinline__ unsigned long long checked_mask(Mask mask) {
  static_assert(__is_integral(Mask) && sizeof(Mask) == 8,
                "The mask must be a 64-bit integer: a wave has 64 lanes.");
  return static_cast<unsigned long long>(mask);
}

/// The value of the first active lane, for types of up to 8 bytes.
template <class T>
__device__ __forceinline__ T first_lane(T value) {
  static_assert(sizeof(T) <= 8, "at most 64 bits");
  unsigned words[2] = {0, 0};
  __builtin_memcpy(words, &value, sizeof(T));
  words[0] = __builtin_amdgcn_readfirstlane(words[0]);
  words[1] = __builtin_amdgcn_readfirstlane(words[1]);
  T result;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

/// Folds `value` over the lanes of `mask` and gives each of them the result.
template <class T, class Operation>
__device__ inline T fold(unsigned long long mask, T value, Operation operation) {
  T result = __shfl(value, __builtin_ctzll(mask));
  for (unsigned long long rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    result = operation(result, __shfl(value, __builtin_ctzll(rest)));
  }
  return result;
}

}  // namespace wavetank_hip

static __device__ __forceinline__ unsigned long long __activemask() { return __ballot(1); }

/// Lanes of a wave run in lockstep; what is left to do is to order their memory accesses.
static __device__ __forceinline__ void __syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
template <class Mask>
__device__ __forceinline__ void __syncwarp(Mask) {
  __syncwarp();
}

template <class Mask>
__device__ __forceinline__ unsigned long long __ballot_sync(Mask mask, int predicate) {
  return __ballot(predicate) & wavetank_hip::checked_mask(mask);
}
template <class Mask>
__device__ __forceinline__ int __all_sync(Mask mask, int predicate) {
  return __ballot_sync(mask, predicate) == wavetank_hip::checked_mask(mask);
}
template <class Mask>
__device__ __forceinline__ int __any_sync(Mask mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}

template <class Mask, class T>
__device__ __forceinline__ T __shfl_sync(Mask mask, T value, int lane, int width = warpSize) {
  wavetank_hip::checked_mask(mask);
  return __shfl(value, lane, width);
}
template <class Mask, class T>
__device__ __forceinline__ T __shfl_up_sync(Mask mask, T value, unsigned delta,
                                            int width = warpSize) {
  wavetank_hip::checked_mask(mask);
  return __shfl_up(value, delta, width);
}
template <class Mask, class T>
__device__ __forceinline__ T __shfl_down_sync(Mask mask, T value, unsigned delta,
                                              int width = warpSize) {
  wavetank_hip::checked_mask(mask);
  return __shfl_down(value, delta, width);
}
template <class Mask, class T>
__device__ __forceinline__ T __shfl_xor_sync(Mask mask, T value, int lane_mask,
                                             int width = warpSize) {
  wavetank_hip::checked_mask(mask);
  return __shfl_xor(value, lane_mask, width);
}

template <class T>
__device__ inline unsigned long long __match_any(T value) {
  unsigned long long mine = 0;
  for (bool done = false; !done;) {
    if (wavetank_hip::first_lane(value) == value) {
      mine = __activemask();
      done = true;
    }
  }
  return mine;
}
template <class Mask, class T>
__device__ __forceinline__ unsigned long long __match_any_sync(Mask mask, T value) {
  return __match_any(value) & wavetank_hip::checked_mask(mask);
}
template <class T>
__device__ inline unsigned long long __match_all(T value, int* same) {
  *same = __all(wavetank_hip::first_lane(value) == value);
  return *same ? __activemask() : 0;
}
template <class Mask, class T>
__device__ __forceinline__ unsigned long long __match_all_sync(Mask mask, T value, int* same) {
  return __match_all(value, same) & wavetank_hip::checked_mask(mask);
}

template <class Mask, class T>
__device__ inline T __reduce_add_sync(Mask mask, T value) {
  return wavetank_hip::fold(wavetank_hip::checked_mask(mask), value,
                            [](T a, T b) { return static_cast<T>(a + b); });
}
template <class Mask, class T>
__device__ inline T __reduce_min_sync(Mask mask, T value) {
  return wavetank_hip::fold(wavetank_hip::checked_mask(mask), value,
                            [](T a, T b) { return b < a ? b : a; });
}
template <class Mask, class T>
__device__ inline T __reduce_max_sync(Mask mask, T value) {
  return wavetank_hip::fold(wavetank_hip::checked_mask(mask), value,
                            [](T a, T b) { return a < b ? b : a; });
}
template <class Mask, class T>
__device__ inline T __reduce_and_sync(Mask mask, T value) {
  return wavetank_hip::fold(wavetank_hip::checked_mask(mask), value,
                            [](T a, T b) { return static_cast<T>(a & b); });
}
template <class Mask, class T>
__device__ inline T __reduce_or_sync(Mask mask, T value) {
  return wavetank_hip::fold(wavetank_hip::checked_mask(mask), value,
                            [](T a, T b) { return static_cast<T>(a | b); });
}
template <class Mask, class T>
__device__ inline T __reduce_xor_sync(Mask mask, T value) {
  return wavetank_hip::fold(wavetank_hip::checked_mask(mask), value,
                            [](T a, T b) { return static_cast<T>(a ^ b); });
}
