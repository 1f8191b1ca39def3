// Constants among the sources of instructions.
#pragma once

#include <cstdint>
#include <optional>

#include "encoding/instruction.hpp"

namespace wavetank::lint {

/// Dword `word` of the constant that source `source` of an instruction's row is, without modifiers;
/// nullopt if it is none.
std::optional<std::uint32_t> constant_of(const encoding::Instruction& instruction, unsigned source,
                                         unsigned word = 0);

}  // namespace wavetank::lint
