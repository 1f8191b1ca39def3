// What stands where an instruction could not be translated.
#pragma once

#include "execute/op.hpp"

namespace wavetank::execute {

/// Runs where translation failed in code that may never be reached.
const Op* run_invalid(machine::Wave& wave, const Op* op);

}  // namespace wavetank::execute
