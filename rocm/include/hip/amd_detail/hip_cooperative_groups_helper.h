// Stands before HIP 5's header of the same name. It includes <bitset> and uses nothing of it;
// sources compiled at run time have type traits of their own in namespace std, which libstdc++'s
// would redefine. And a function of it is not inline, so that two sources would not link.
#pragma once

#include <hip/hip_version.h>

#if HIP_VERSION_MAJOR < 6

#if defined(__HIPCC_RTC__)
#pragma push_macro("_GLIBCXX_BITSET")
#undef _GLIBCXX_BITSET
#define _GLIBCXX_BITSET 1
#endif
#define masked_bit_count __attribute__((internal_linkage)) masked_bit_count
#include_next <hip/amd_detail/hip_cooperative_groups_helper.h>
#undef masked_bit_count
#if defined(__HIPCC_RTC__)
#undef _GLIBCXX_BITSET
#pragma pop_macro("_GLIBCXX_BITSET")
#endif

#else
#include_next <hip/amd_detail/hip_cooperative_groups_helper.h>
#endif
