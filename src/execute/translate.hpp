// From a decoded instruction to an op: the handler is chosen and the operands are resolved.
#pragma once

#include "base/error.hpp"
#include "encoding/instruction.hpp"
#include "execute/op.hpp"
#include "execute/program_spec.hpp"

namespace wavetank::execute {

/// Translates one instruction. Errors: kUnsupportedInstruction when the row has no handler or an
/// operand cannot be used this way; kBadElf when a register lies beyond the kernel's allocation.
Result<Op> translate(const encoding::Instruction& instruction, const ProgramSpec& spec);

}  // namespace wavetank::execute
