#include_next <hip/hip_runtime.h>
