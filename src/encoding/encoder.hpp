// Instructions to bytes: the inverse of the decoder.
#pragma once

#include <array>
#include <cstdint>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::encoding {

/// The bytes of one instruction.
struct Words {
  std::array<std::uint32_t, 2> dwords = {};
  unsigned count = 0;
};

/// The bytes of `instruction` (row, form and all operands set) on `target`. Fields that the row
/// does not have become zero, and values are cut to their fields; decode(encode(x)) = x holds for
/// every instruction that the decoder gives.
Words encode(const Instruction& instruction, const isa::Target& target);

}  // namespace wavetank::encoding
