// The values on which vector instructions are tried: ends of ranges, both sides of boundaries,
// denormals, infinities and both kinds of NaN.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "isa/type.hpp"

namespace wavetank::tests {

/// The grid of an operand type; 16-bit values in the low bits. Packed types take their element's.
std::span<const std::uint64_t> value_grid(isa::Type type);

/// Draws from the grid four times out of five, otherwise any bits. A register holds a 16-bit
/// operand in each half.
std::uint64_t draw_register(isa::Type type, std::mt19937_64& random);

}  // namespace wavetank::tests
