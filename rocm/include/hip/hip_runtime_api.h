// Adds to HIP 5's header of this name what HIP 6's has and programs use: hipHostAlloc for a pointer
// of any type, and its flags.
#pragma once

#include_next <hip/hip_runtime_api.h>

#include <hip/hip_version.h>

#if HIP_VERSION_MAJOR < 6

#if !defined(hipHostAllocDefault)
#define hipHostAllocDefault hipHostMallocDefault
#define hipHostAllocPortable hipHostMallocPortable
#define hipHostAllocMapped hipHostMallocMapped
#define hipHostAllocWriteCombined hipHostMallocWriteCombined
#endif

#if defined(__cplusplus)
template <class T>
static inline hipError_t hipHostAlloc(T** pointer, size_t size_bytes,
                                      unsigned int flags = hipHostAllocDefault) {
  return hipHostAlloc(reinterpret_cast<void**>(pointer), size_bytes, flags);
}
#endif

#endif  // HIP_VERSION_MAJOR < 6
