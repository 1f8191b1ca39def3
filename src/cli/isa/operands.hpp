// The operands of an instruction: registers, types, what may stand there, the modifiers.
#pragma once

#include "cli/isa/card_section.hpp"
#include "isa/row.hpp"

namespace wavetank::cli {

/// One line for each operand of the row; `segment` is of FLAT rows.
CardSection operand_section(const isa::Row& row, isa::Format segment);

}  // namespace wavetank::cli
