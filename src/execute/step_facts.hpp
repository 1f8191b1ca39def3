// What the cycle model is told of an instruction, derived from its row and its encoding.
#pragma once

#include "encoding/instruction.hpp"
#include "execute/program.hpp"
#include "machine/step.hpp"

namespace wavetank::execute {

/// The facts of one instruction of a program. `offset_bytes` and `index` are the caller's to set.
machine::StepFacts step_facts(const encoding::Instruction& instruction, const ProgramSpec& spec);

}  // namespace wavetank::execute
