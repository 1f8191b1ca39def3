// Words for the facts of a row: formats, units, operands, what a memory shape does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"

namespace wavetank::cli {

/// "VOP2", "VOP3P-MAI" for matrix rows, "FLAT".
std::string format_name(const isa::Row& row);
/// "f32", "u16", "2 x f16", "lane mask".
std::string type_name(isa::Type type);
std::string_view element_name(isa::MatrixElement element);
/// "SALU", "matrix core", "vector memory (FLAT)".
std::string_view unit_name(isa::Unit unit);
/// "full", "quarter", "transcendental"; only of VALU rows.
std::string_view rate_name(isa::Rate rate);
/// "e32", "e64", "SDWA", "DPP", or the format of a row with one form.
std::string form_name(const isa::Row& row, encoding::Form form);
/// The forms that a row has.
std::vector<encoding::Form> forms_of(const isa::Row& row);
/// "gfx90a gfx942".
std::string targets_text(isa::Targets targets);

/// What a memory row does, one statement each; `segment` is that of a FLAT name.
std::vector<std::string> memory_pseudo_code(const isa::Row& row);
/// What follows from a row's facts and its summary does not say: modes, clamp, upper halves.
std::vector<std::string> semantic_notes(const isa::Row& row);

}  // namespace wavetank::cli
