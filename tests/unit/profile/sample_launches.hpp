// Launches as the cycle model might give them, with numbers that are easy to follow by hand.
#pragma once

#include "profile/launch_profile.hpp"

namespace wavetank::profile {

/// A copy of 1 048 576 doubles on the MI210: 4096 workgroups of 256, bound by memory.
LaunchProfile vector_copy();

/// The same with a trace: two waves of one workgroup on CU 3 of shader engine 1; the first waits 12
/// cycles for memory at its third instruction.
LaunchProfile traced_copy();

/// A transpose on the MI210 that reads rows and writes columns: 64 lines for each store.
LaunchProfile transpose_read_contiguous();

/// Fused multiply-adds on the MI300X out of registers: the VALU is busy 96 % of the time.
LaunchProfile compute_bound();

/// One workgroup with a barrier in its loop on the MI300X.
LaunchProfile barrier_loop();

/// An empty kernel on the MI210.
LaunchProfile empty_kernel();

}  // namespace wavetank::profile
