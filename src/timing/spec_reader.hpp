// Reads the numbers of the cycle model from a device description, each by its name there.
#pragma once

#include "base/error.hpp"
#include "target/device.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// The device, ready for the model. Errors: kBadDevice names the number that is missing or bad.
Result<TimingSpec> read_spec(const target::Device& device);

}  // namespace wavetank::timing
