// Words for the facts of a row: formats, units, operands, what a memory shape does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

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
/// What is `text_on` the oldest target, then what it is from a later one on, if that differs:
/// "glc; gfx942: sc0" with the separator "; ".
std::string by_target(std::string_view separator,
                      const std::function<std::string(const isa::Target&)>& text_on);

/// The targets that have something, as the pages of docs/isa name them: "gfx942", or "all".
std::string targets_text(const isa::Lifetime& lifetime);

/// What a memory row does, one statement each; `segment` is that of a FLAT name.
std::vector<std::string> memory_pseudo_code(const isa::Row& row);
/// What follows from a row's facts and its summary does not say: modes, clamp, upper halves.
std::vector<std::string> semantic_notes(const isa::Row& row);

}  // namespace wavetank::cli
