// What a source that hipRTC compiles may use without an #include, in HIP's form for run-time
// compilation (__HIPCC_RTC__): no host headers, no API. AMD's library holds the same headers as
// text (clr/hipamd/src/hiprtc/CMakeLists.txt, HIPRTC_HEADERS); since HIP 6 hip_runtime.h alone
// brings a small part of them. Headers that not every version has are asked for first. They stand
// in the order in which they need each other.
#ifndef WAVETANK_HIPRTC_RUNTIME_H
#define WAVETANK_HIPRTC_RUNTIME_H
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"

#if !defined(__HIP_NO_STD_DEFS__)
#if defined(__HIPRTC_PTRDIFF_T_IS_LONG_LONG__) && __HIPRTC_PTRDIFF_T_IS_LONG_LONG__ == 1
typedef long long ptrdiff_t;
#else
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#endif
typedef long clock_t;
namespace std {
using ::clock_t;
using ::ptrdiff_t;
}  // namespace std
#endif

// For the headers alone, as in AMD's library.
#pragma push_macro("CHAR_BIT")
#pragma push_macro("INT_MAX")
#define CHAR_BIT __CHAR_BIT__
#define INT_MAX __INT_MAX__

#include <hip/hip_runtime.h>

#include <hip/hip_bfloat16.h>

#include <hip/amd_detail/device_library_decls.h>
#if __has_include(<hip/amd_detail/hip_assert.h>)
#include <hip/amd_detail/hip_assert.h>
#endif

#if !defined(assert) && defined(NDEBUG)
#define assert(condition) static_cast<void>(0)
#elif !defined(assert)
#define assert(condition)             \
  ((condition) ? static_cast<void>(0) \
               : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

#include <hip/library_types.h>

#include <hip/driver_types.h>

#include <hip/surface_types.h>

#include <hip/channel_descriptor.h>

#include <hip/texture_types.h>

#include <hip/amd_detail/ockl_image.h>
#include <hip/amd_detail/texture_fetch_functions.h>
#include <hip/amd_detail/texture_indirect_functions.h>

#include <hip/amd_detail/amd_surface_functions.h>

#include <hip/hip_complex.h>
#include <hip/hip_math_constants.h>

#include <hip/amd_detail/math_fwd.h>

#include <hip/amd_detail/amd_warp_functions.h>

#include <hip/amd_detail/amd_device_functions.h>
#if __has_include(<hip/amd_detail/amd_warp_sync_functions.h>)
#include <hip/amd_detail/amd_warp_sync_functions.h>
#endif

#include <hip/amd_detail/hip_cooperative_groups_helper.h>

#include <hip/amd_detail/amd_hip_cooperative_groups.h>

#include <hip/amd_detail/amd_hip_unsafe_atomics.h>

#include <hip/amd_detail/amd_hip_atomic.h>

#include <hip/hip_fp16.h>
#include <hip/math_functions.h>

#pragma pop_macro("INT_MAX")
#pragma pop_macro("CHAR_BIT")
#pragma clang diagnostic pop
#endif
