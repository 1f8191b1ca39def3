// Stands before HIP 5.2's header of the same name: takes the one that was edited when Wavetank was
// built (rocm/header_edits), if it was built where HIP 5.2 is.
#pragma once

#include <hip/hip_version.h>

#define WAVETANK_EDITED <wavetank/hip_5_2/amd_hip_cooperative_groups.h>
#if HIP_VERSION_MAJOR == 5 && HIP_VERSION_MINOR == 2 && __has_include(WAVETANK_EDITED)
#include WAVETANK_EDITED
#else
#include_next <hip/amd_detail/amd_hip_cooperative_groups.h>
#endif
#undef WAVETANK_EDITED
