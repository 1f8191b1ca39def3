// What stands for a vector instruction where MODE.VSKIP is 1 (isa/skipping.hpp).
#pragma once

#include "execute/op.hpp"

namespace wavetank::execute {

/// Passes over the op.
const Op* run_skipped(machine::Wave& wave, const Op* op);

}  // namespace wavetank::execute
