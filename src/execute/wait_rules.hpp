// Which rules of isa/vector_wait.hpp an instruction has a part in.
#pragma once

#include "encoding/instruction.hpp"
#include "machine/step.hpp"

namespace wavetank::execute {

/// Sets StepFacts::waited_for and waits, when all other facts are known.
void note_wait_rules(const encoding::Instruction& instruction, machine::StepFacts& facts);

}  // namespace wavetank::execute
