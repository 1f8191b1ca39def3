// Where a program's code leads.
#pragma once

#include <cstddef>

#include "execute/turns.hpp"

namespace wavetank::execute {

/// True if code leads from behind the op in slot `from` to that in slot `to` of the same function.
/// Calls are taken to come back; jumps through registers to leave. Visits the function: for
/// reports.
bool leads(const ProgramOps& program, std::size_t from, std::size_t to);

}  // namespace wavetank::execute
