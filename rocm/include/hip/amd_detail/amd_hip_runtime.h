// Stands before HIP 5's header of the same name (found next on the include path) when a newer clang
// compiles it: takes what that clang cannot compile out of it, and adds what came later.
#pragma once

#include <hip/hip_version.h>

#if HIP_VERSION_MAJOR < 6 && defined(__HIP__) && defined(__cplusplus)

// Before the names below mean something else: its structures have members gridDim and blockDim.
// Sources compiled at run time (hipRTC) are device code only and get no API.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime_api.h>
#endif

// Out of the way: replaced by wavetank/coordinates.h and wavetank/atomics.h.
#define threadIdx wavetank_hip5_threadIdx
#define blockIdx wavetank_hip5_blockIdx
#define blockDim wavetank_hip5_blockDim
#define gridDim wavetank_hip5_gridDim
#define atomicInc wavetank_hip5_atomicInc
#define atomicDec wavetank_hip5_atomicDec
#include_next <hip/amd_detail/amd_hip_runtime.h>
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim
#undef atomicInc
#undef atomicDec

#if defined(__HIPCC_RTC__)
// HIP 5 leaves the shuffles out there.
#include <hip/amd_detail/amd_warp_functions.h>

// HIP 5 has its type traits in std, HIP 6 in a namespace of its own.
namespace __hip_internal {
using namespace std;
}
#endif
#include <wavetank/atomics.h>
#include <wavetank/coordinates.h>
#include <wavetank/warp.h>

#else
#include_next <hip/amd_detail/amd_hip_runtime.h>
#endif
