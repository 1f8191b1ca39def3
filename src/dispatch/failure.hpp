// What went wrong in a kernel, as a diagnostic with kernel, instruction, workgroup, wave and lane.
#pragma once

#include "base/error.hpp"
#include "dispatch/grid_plan.hpp"
#include "dispatch/resident_group.hpp"

namespace wavetank::dispatch {

/// Describes why a group stopped (kMemoryFault, kTrap or kUnsupportedInstruction).
Error describe_failure(const GridPlan& plan, const ResidentGroup& group);

/// The warning for an atomic at this address that the device dropped.
Error describe_dropped_atomic(const GridPlan& plan, std::uint64_t address);

/// The warning for a launch that has stood still for long, of whose waves this one, of this group,
/// goes round in a loop. `alone`: no other launch runs beside it.
Error describe_standstill(const GridPlan& plan, const ResidentGroup& group,
                          const machine::Wave& wave, bool alone);

}  // namespace wavetank::dispatch
