// When the stalls of traced instructions were.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/launch_profile.hpp"

namespace wavetank::profile {

/// Cycles of a TraceIssue's stall_cycles. An instruction waits to be issued; an s_waitcnt is
/// issued, and waits then.
struct SplitStall {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

/// True for waits that AMD's trace decoder counts as stall: the instruction was there, the unit or
/// its data were not. The others lie before it: idle.
bool is_stall(Reason reason);

/// For each issue of the trace: what lies between the end of the wave's instruction before it (or
/// the wave's begin) and the issue is before it, the rest of its stalls after it. Issues of waves
/// that the trace does not have count as before.
std::vector<SplitStall> split_stalls(const ThreadTrace& trace);

}  // namespace wavetank::profile
