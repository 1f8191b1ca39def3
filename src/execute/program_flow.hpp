// A translated program as a graph of its instructions.
#pragma once

#include <functional>

#include "execute/program.hpp"
#include "machine/flow.hpp"

namespace wavetank::execute {

/// What is translated of a program so far, decoded again: for whoever looks at code without running
/// it. Offsets are from the first byte of the code; instructions have no index.
machine::Flow flow_of(const Program& program);
/// True if wanted(row) for an instruction anywhere in the program's code object, reachable or not.
bool holds_row(const Program& program, const std::function<bool(const isa::Row&)>& wanted);

}  // namespace wavetank::execute
