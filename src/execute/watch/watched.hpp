// Waves whose registers hold undefined bits go on in a program of their own, one instruction at a
// time, until none is left (docs/decisions/0025).
#pragma once

#include "execute/op.hpp"

namespace wavetank::execute {

/// Runs an op of a watched program: tells the listener of it as the listened program does, executes
/// it, and works out what of its results is undefined. Who holds no undefined bit any more goes on
/// in the listened program.
const Op* run_watched(machine::Wave& wave, const Op* op);

/// Where a wave of a listened program goes on: at `next`, in the watched program if its registers
/// hold undefined bits. nullptr stays nullptr.
const Op* watch_if_undefined(machine::Wave& wave, const Op* next);

}  // namespace wavetank::execute
