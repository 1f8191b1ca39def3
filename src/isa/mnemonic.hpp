// The names under which a row is written. Rows of kFlat share a base name among three segments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/row.hpp"

namespace wavetank::isa {

/// The mnemonic of a row without encoding suffix: "v_add_f32", or for "load_dword" the name that it
/// has in a segment (kFlat, kGlobal or kScratch; of other rows it does not matter).
std::string mnemonic(const Row& row, Format segment);

/// Every mnemonic of a row, without encoding suffix; for "load_dword" the flat_, global_ and
/// scratch_ names. Scratch memory has no atomics (LLVM FLATInstructions.td).
std::vector<std::string> mnemonics(const Row& row);

/// The segment that a row has under one of its mnemonics; of other rows than kFlat their format.
Format segment_of(const Row& row, std::string_view mnemonic);

}  // namespace wavetank::isa
