// What went wrong in a kernel, as a diagnostic with kernel, instruction, workgroup, wave and lane.
#pragma once

#include "dispatch/engine.hpp"
#include "dispatch/resident_group.hpp"

namespace wavetank::dispatch {

/// Describes why a group stopped (kMemoryFault, kTrap or kUnsupportedInstruction).
Error describe_failure(const Launch& launch, const ResidentGroup& group);

}  // namespace wavetank::dispatch
