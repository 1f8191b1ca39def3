// What a reader wants to know of a launch's instructions, found by their addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "dispatch/grid_plan.hpp"
#include "dispatch/stepped_instruction.hpp"

namespace wavetank::dispatch {

/// What stands at each of these addresses. Starts a process for the source lines.
std::vector<SteppedInstruction> describe_instructions(const GridPlan& plan,
                                                      const std::vector<std::uint64_t>& addresses);

}  // namespace wavetank::dispatch
