// Adds to HIP 5's header of this name what HIP 6's has and programs use.
#pragma once

#include_next <hip/hip_fp16.h>

#include <hip/hip_version.h>

#if HIP_VERSION_MAJOR < 6 && defined(__HIP__) && defined(__cplusplus)
#include <hip/hip_runtime.h>
#include <wavetank/fp16.h>
#endif
