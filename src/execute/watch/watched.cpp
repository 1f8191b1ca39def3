#include "execute/watch/watched.hpp"

#include "execute/heard.hpp"
#include "execute/program.hpp"
#include "execute/watch/trial.hpp"
#include "machine/undefined_registers.hpp"

namespace wavetank::execute {
namespace {

using machine::Wave;

/// The same place in another form of the wave's program, which becomes its program.
const Op* change_form(Wave& wave, const Op* op, bool watched) {
  Program* program = &program_of(wave);
  const auto other = program->watched(op, watched, program);
  wave.program = program;
  if (other) return *other;
  wave.stop = machine::Stop::kUnsupported;
  wave.next = op;
  return nullptr;
}

bool moves_memory(const isa::Row& row) {
  return row.memory.action != isa::MemoryAction::kNone &&
         !isa::exchanges_registers(row.memory.special);
}

}  // namespace

const Op* watch_if_undefined(Wave& wave, const Op* next) {
  if (next == nullptr || !wave.undefined->any()) return next;
  return change_form(wave, next, true);
}

const Op* run_watched(Wave& wave, const Op* op) {
  if (!wave.undefined->any()) return change_form(wave, op, false);
  const Heard& heard = program_of(wave).heard(op);
  if (heard.is_told) tell_listener(wave, op, heard);
  // What memory hands to registers and takes from them is the listener's, who knows memory.
  if (moves_memory(*heard.facts.row)) return heard.inner(wave, op);
  return run_by_trials(wave, op, heard);
}

}  // namespace wavetank::execute
