// Which bits of an instruction's results are undefined: those that change when the undefined bits
// of its operands do. The instruction's own handler is asked, several times with different bits, so
// that no instruction is described a second time.
#pragma once

#include "execute/heard.hpp"

namespace wavetank::execute {

/// Executes an op that touches no memory, and sets the undefined bits of what it writes. Where the
/// wave goes on, or which of its lanes do, must not depend on undefined bits: the listener is told
/// if it does, and what the op read counts as defined then.
const Op* run_by_trials(machine::Wave& wave, const Op* op, const Heard& heard);

}  // namespace wavetank::execute
