// What the cycle model is told of an instruction, derived from its row and its encoding.
#pragma once

#include <cstdint>

#include "encoding/instruction.hpp"
#include "execute/program_spec.hpp"
#include "machine/step.hpp"

namespace wavetank::execute {

/// The facts of one instruction of a kernel whose AccVGPRs begin at `accum_offset` in the unified
/// file. `offset_bytes` and `index` are the caller's to set.
machine::StepFacts step_facts(const encoding::Instruction& instruction, std::uint32_t accum_offset);
/// The same in a program made by `spec`, which may skip vector instructions.
machine::StepFacts step_facts(const encoding::Instruction& instruction, const ProgramSpec& spec);

}  // namespace wavetank::execute
