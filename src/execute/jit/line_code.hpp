// Host code for addresses that are lines: each index register is tested once for a strip, and what
// follows from it is computed for the strip's first lane alone.
#pragma once

#include <span>
#include <vector>

#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

/// The most indices that lines of one run may have.
inline constexpr unsigned kMostIndices = 4;

/// The lines of a run's addresses that differ in more than their bases.
std::vector<Line> indices_of(std::span<const RunOp> run);

/// Leaves the strip unless each index rises evenly with the lane, and so does its line; keeps the
/// first lane's value of each, without bases, below the stack pointer. Spoils rax and r11.
void emit_indices(StripCode& strip);
/// rax = the first lane's value of a line. Only after emit_indices().
void emit_line(StripCode& strip, const Line& line);
/// rax += the SGPR pair.
void emit_add_pair(Assembler& code, unsigned sgpr);

}  // namespace wavetank::execute::jit
