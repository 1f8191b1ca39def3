// Stands before HIP 5's header of the same name. There float4::x is a plain float only if
// hip_runtime.h was included before, and otherwise an object that converts, of which &v.x and
// v.x + v.y do not compile. As in HIP 6 it is plain always.
#pragma once

#include <hip/hip_version.h>

#if HIP_VERSION_MAJOR < 6 && defined(__clang__)
#pragma push_macro("__HIP_CLANG_ONLY__")
#undef __HIP_CLANG_ONLY__
#define __HIP_CLANG_ONLY__ 1
#include_next <hip/amd_detail/amd_hip_vector_types.h>
#pragma pop_macro("__HIP_CLANG_ONLY__")
#else
#include_next <hip/amd_detail/amd_hip_vector_types.h>
#endif
