// Finds what the addresses of a run that leaves nothing in registers are made of.
#pragma once

#include "execute/jit/access.hpp"

namespace wavetank::execute::jit {

/// Gives loads and stores of global memory their lines (RunOp::line), where the run's own ops make
/// their addresses of registers in a way that is known here; such a load or store reads no address
/// register any more. Takes ops out of the run whose results nobody reads then: its registers and
/// lane masks must all be dead at its end.
void follow_addresses(Run& run);

}  // namespace wavetank::execute::jit
