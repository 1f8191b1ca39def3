// What a device description says of an instruction: issue cycles, latencies, wait states.
#pragma once

#include "cli/isa/card.hpp"

namespace wavetank::cli {

/// Unit, rate and cycles on MI210 (gfx90a) and MI300X (gfx942), each number with its kind and
/// source, and the wait states behind the instruction. Errors: kBadDevice.
Result<std::vector<CardSection>> timing_sections(const InstructionPair& instruction);

}  // namespace wavetank::cli
