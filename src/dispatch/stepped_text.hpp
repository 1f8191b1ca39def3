// The instructions of a stepped launch as a reader wants them: disassembly and source line.
#pragma once

#include <vector>

#include "base/error.hpp"
#include "dispatch/engine.hpp"
#include "dispatch/stepped_grid.hpp"

namespace wavetank::dispatch {

/// One entry for each instruction that was executed, by StepFacts::index.
std::vector<SteppedInstruction> describe_instructions(const GridPlan& plan, const StepTable& table);

}  // namespace wavetank::dispatch
