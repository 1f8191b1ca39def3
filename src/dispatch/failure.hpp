// What went wrong in a kernel, as a diagnostic with kernel, instruction, workgroup, wave and lane.
#pragma once

#include "dispatch/engine.hpp"
#include "dispatch/resident_group.hpp"
#include "execute/program.hpp"

namespace wavetank::dispatch {

/// Describes why a group stopped (kMemoryFault, kTrap or kUnsupportedInstruction).
Error describe_failure(const Launch& launch, const ResidentGroup& group);

/// The warning for an atomic, at this address of the program, that the device dropped.
Error describe_dropped_atomic(const Launch& launch, const execute::Program& program,
                              std::uint64_t address);

}  // namespace wavetank::dispatch
