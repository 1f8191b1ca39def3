// The names under which a row is written. Rows of kFlat share a base name among three segments.
#pragma once

#include <string>
#include <vector>

#include "isa/row.hpp"

namespace wavetank::isa {

/// Every mnemonic of a row, without encoding suffix: "v_add_f32"; for "load_dword" the flat_,
/// global_ and scratch_ names. Scratch memory has no atomics (LLVM FLATInstructions.td).
std::vector<std::string> mnemonics(const Row& row);

}  // namespace wavetank::isa
