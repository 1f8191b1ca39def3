// What a device description says of an instruction: issue cycles, latencies, wait states.
#pragma once

#include "cli/isa/card.hpp"

namespace wavetank::cli {

/// Unit, rate and cycles on the device of each target, each number with its kind and source,
/// and the wait states behind the instruction. Errors: kBadDevice.
Result<std::vector<CardSection>> timing_sections(
    const Instruction& instruction, const DeviceOf& device_of = built_in_device_of);

}  // namespace wavetank::cli
