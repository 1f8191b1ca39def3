// Pseudo-code of an instruction. It is no second description: it is the body of the row's line in
// the tables of src/isa, which are compiled into the program, respelled with operand names.
#pragma once

#include <string>
#include <vector>

#include "isa/row.hpp"

namespace wavetank::cli {

/// What a row's source `index` is called: "src0", "D" (the old value), "K", "SIMM16", "VCC".
std::string source_name(const isa::Row& row, unsigned index);

/// The row's arithmetic, one statement each; empty where the table line has none that reads as a
/// formula: memory and matrix rows, instructions that look across lanes, most control flow.
std::vector<std::string> pseudo_code(const isa::Row& row);

}  // namespace wavetank::cli
