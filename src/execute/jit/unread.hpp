// Which of a run's results nobody reads: they need not reach the vector registers in memory.
#pragma once

#include "execute/jit/access.hpp"

namespace wavetank::execute::jit {

/// Finds the run's dead registers, as far as the ops that follow it in a line tell: those that an
/// op overwrites in all lanes of the run's EXEC, or that s_endpgm ends, unread.
void find_dead_registers(OpTable& ops, Run& run);
/// True if all the run's results are dead registers.
bool leaves_no_registers(const Run& run);

}  // namespace wavetank::execute::jit
