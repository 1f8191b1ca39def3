// HIP 5's header of this name needs hip_runtime.h before it; HIP 6's does not.
#pragma once

#include <hip/hip_runtime.h>

#include_next <hip/hip_cooperative_groups.h>
