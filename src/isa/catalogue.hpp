// All rows, in one list. Templates end here: the rest of the program sees plain data.
#pragma once

#include <span>
#include <string_view>

#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::isa {

/// Every row; row.id is its index.
std::span<const Row> catalogue();

/// The row of a base mnemonic ("v_add_f32", "global_load_dword"), or nullptr. Two targets may have
/// different rows of one name; `target` picks. gfx90a's names of matrix rows lead to gfx942's rows.
const Row* find_row(std::string_view mnemonic, const Target& target);

/// The same for readers of what any processor did: the first row of that name.
const Row* find_row(std::string_view mnemonic);

}  // namespace wavetank::isa
