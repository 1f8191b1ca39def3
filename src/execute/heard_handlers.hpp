// The handlers of programs that are listened to. Waves whose registers hold undefined bits go on in
// a program of their own, one instruction at a time, until none is left (docs/decisions/0025).
#pragma once

#include "execute/op.hpp"

namespace wavetank::execute {

/// Runs an op of a listened program: tells the listener, then executes. Whose registers hold
/// undefined bits then goes on in the watched program.
const Op* run_heard(machine::Wave& wave, const Op* op);

/// Runs an op that edges stand before.
const Op* run_edge(machine::Wave& wave, const Op* op);

/// Runs an op of a watched program: tells the listener of it as the listened program does, executes
/// it, and works out what of its results is undefined. Who holds no undefined bit any more goes on
/// in the listened program.
const Op* run_watched(machine::Wave& wave, const Op* op);

}  // namespace wavetank::execute
