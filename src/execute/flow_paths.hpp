// Where a program's code leads.
#pragma once

#include <cstddef>

#include "execute/turns.hpp"

namespace wavetank::execute {

/// True if code leads from behind the op in slot `from` to that in slot `to`. Calls are taken to
/// lead to all code that `entry` reaches by calls only, and jumps through registers that do not
/// come back, behind every call. Visits the program: for reports.
bool leads(const ProgramOps& program, std::size_t entry, std::size_t from, std::size_t to);

}  // namespace wavetank::execute
