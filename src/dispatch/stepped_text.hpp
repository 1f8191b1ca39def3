// The instructions of a launch as a reader wants them: disassembly and source line.
#pragma once

#include <vector>

#include "dispatch/engine.hpp"
#include "dispatch/grid_run.hpp"

namespace wavetank::dispatch {

/// What stands at each of these addresses. Starts a process for the source lines.
std::vector<SteppedInstruction> describe_instructions(const GridPlan& plan,
                                                      const std::vector<std::uint64_t>& addresses);

}  // namespace wavetank::dispatch
