// Where a program's waves change turns: facts of the code that decide where a wave lets the others
// of its workgroup go first, and which of its loops wait for others (docs/decisions/0017).
//
// A device's waves pass a barrier within a few cycles and wait for memory together, and programs
// lean on it: every wave reads a word, then one overwrites it without a barrier. Here a wave runs
// as far as it can; so it gives its turn to the next one where it would wait for memory, or before
// its next store to LDS if it does not wait, where the order of the waves can be noticed.
#pragma once

#include <cstdint>

#include "execute/op.hpp"
#include "execute/program_ops.hpp"

namespace wavetank::execute {

/// Lets the others of the wave's workgroup go first, if there are any whom it may let: the wave
/// goes on at `next`.
inline const Op* give_turn(machine::Wave& wave, const Op* next) {
  const bool alone = !wave.shares_turns || wave.indexes_registers;
  return alone ? next : leave(wave, next, machine::Stop::kTurn);
}

/// Runs a load from LDS that gives the turn, by its row's handler.
const Op* run_and_give_turn(machine::Wave& wave, const Op* op);

/// What a backward branch of a polling loop costs of a time slice, in plain backward branches: so
/// many polls tell that others have to move first, while so many rounds of a loop that computes
/// take microseconds.
inline constexpr std::int64_t kPollCost = 128;

/// Sets Op::gives_turn of waits and of loads from LDS, and those loads' handler. A barrier opens a
/// phase, which ends at the next ones. Where waves read and write the same kind of memory in one
/// phase (LDS, or global memory), each wait with an access under way gives the turn, if another
/// such access may follow in the phase. LDS takes the accesses of all waves as they come, and a
/// wave's in their order: where a store to it follows loads without a wait, the last load gives the
/// turn. Elsewhere nobody could notice, and waits cost nothing: in programs without barriers, and
/// in phases that only load, or only store, what the workgroup shares.
void mark_turns(const ProgramOps& program);

/// Sets Op::polls of backward branches whose loop reads past the caches, takes an atomic's result,
/// reads a clock or sleeps. True if there is one.
bool mark_polls(const ProgramOps& program);

}  // namespace wavetank::execute
