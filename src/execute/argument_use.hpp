// Which bits of a kernel's arguments what it does can depend on. Structs among them come with
// padding, which holds what happened to lie on the host's stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/error.hpp"
#include "encoding/instruction.hpp"
#include "execute/program_ops.hpp"

namespace wavetank::execute {

/// Gives the instruction in a slot. Errors: it is none.
using InstructionOf = std::function<Result<encoding::Instruction>(std::size_t slot)>;

/// For each of the first `bytes` bytes of the arguments the bits that some instruction takes in. At
/// `entry` the pair of SGPRs from `pointer` on holds their address; it is followed through moves
/// and into scalar loads. All bits where the address goes elsewhere, or code follows that is not
/// known.
std::vector<std::uint8_t> used_argument_bits(const ProgramOps& program, const FactsOf& facts_of,
                                             const InstructionOf& instruction_of, std::size_t entry,
                                             unsigned pointer, std::size_t bytes);

}  // namespace wavetank::execute
