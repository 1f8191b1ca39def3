// What a device description says of an instruction: issue cycles, latencies, wait states.
#pragma once

#include <functional>
#include <vector>

#include "base/error.hpp"
#include "cli/isa/card_section.hpp"
#include "cli/isa/instruction.hpp"
#include "isa/target.hpp"
#include "target/device.hpp"

namespace wavetank::cli {

/// The device that stands for a target. Errors: kBadDevice.
using DeviceOf = std::function<const Result<target::Device>&(const isa::Target& target)>;
/// The first built-in one, read once.
const Result<target::Device>& built_in_device_of(const isa::Target& target);

/// Unit, rate and cycles on the device of each target, each number with its kind and source,
/// and the wait states behind the instruction. Errors: kBadDevice.
Result<std::vector<CardSection>> timing_sections(const Instruction& instruction,
                                                 const DeviceOf& device_of = built_in_device_of);

}  // namespace wavetank::cli
