// Instructions made from a row: every form, every kind of operand, every modifier.
#pragma once

#include <vector>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::test {

/// Instructions of `row` on `target` that a programmer could write. Operands vary one at a time, so
/// that no instruction reads two different scalar registers.
std::vector<encoding::Instruction> samples(const isa::Row& row, const isa::Target& target);

}  // namespace wavetank::test
