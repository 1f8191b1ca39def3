// Rows of the catalogue for the lines of its tables, which have no number of their own.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/row.hpp"

namespace wavetank::execute {

/// The catalogue's number of a table line's row.
std::optional<std::uint16_t> id_of_line(const isa::Row& line);

}  // namespace wavetank::execute
