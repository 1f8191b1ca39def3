// What a row computes, in words of its operands: its body, evaluated in the domain Text.
#pragma once

#include <string>
#include <vector>

#include "isa/row.hpp"

namespace wavetank::isa {

/// What a row's source `index` is called: "src0", "D" (the old value), "K", "SIMM16", "VCC".
std::string source_name(const Row& row, unsigned index);

/// The row's arithmetic, one statement each: "D = src0 + src1", "SCC = D != 0". Empty for rows that
/// have no body of values: memory and matrix rows, instructions that look across lanes, and control
/// flow but for branches.
std::vector<std::string> formula(const Row& row);

/// The value that an atomic leaves in memory, of `old`, `data` and, where there is one,
/// `comparand`; of other operations on two values `data0` and `data1`. Empty for kNone, and for
/// those that count lanes.
std::string atomic_formula(AtomicOperation operation);

}  // namespace wavetank::isa
