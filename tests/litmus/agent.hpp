// Words that workgroups of one device share: ordered loads and stores.
#pragma once

#include <hip/hip_runtime.h>

namespace litmus {

// Sees all that its writer stored before it stored the word.
template <typename T>
__device__ T load(const T* address) {
  return __hip_atomic_load(address, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}

// Whoever loads the word sees all that was stored before.
template <typename T>
__device__ void store(T* address, T value) {
  __hip_atomic_store(address, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

// Spins until the word is at least `value`.
__device__ inline void wait_for(const int* address, int value) {
  while (load(address) < value) {
  }
}

}  // namespace litmus
