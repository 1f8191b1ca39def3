// Accesses as they would be if the lanes of an instruction lay side by side.
#pragma once

#include <cstdint>

#include "machine/step.hpp"
#include "timing/units/planned_accesses.hpp"

namespace wavetank::timing {

/// The accesses of `step`, of which `planned` is the plan, with each lane's beside that of the one
/// before. Where they begin depends on where the first lane is, so that instructions that walk
/// through the same lines together bring each of them once: a walk down columns becomes one along
/// rows, and an array of structures a structure of arrays. What touches no more lines than it needs
/// stays as it is.
void lay_side_by_side(const machine::Step& step, const ShiftedPlan& planned,
                      std::uint32_t line_bytes, machine::Step& laid);

}  // namespace wavetank::timing
