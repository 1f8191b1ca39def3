#include "execute/heard_handlers.hpp"

#include "execute/heard.hpp"
#include "execute/memory/address.hpp"
#include "execute/step_address.hpp"
#include "execute/watch/trial.hpp"
#include "isa/flow.hpp"
#include "machine/listener.hpp"
#include "machine/undefined_registers.hpp"

namespace wavetank::execute {
namespace {

using machine::Wave;

/// The same place in another form of the wave's program, which becomes its program.
const Op* change_form(Wave& wave, const Op* op, bool watched) {
  const auto other = listened_code_of(wave).watched(op, watched, wave.program);
  return other ? *other : leave(wave, op, machine::Stop::kUnsupported);
}

/// Where a wave of a listened program goes on: at `next`, in the watched program if its registers
/// hold undefined bits. nullptr stays nullptr. Out of line, since few waves may have such bits.
[[gnu::noinline]] const Op* watch_if_undefined(Wave& wave, const Op* next) {
  if (next == nullptr || !wave.undefined->any()) return next;
  return change_form(wave, next, true);
}

/// Tells where a call or jump leads.
void tell_of_flow(Wave& wave, const Heard& heard) {
  machine::Listener& listener = *wave.environment->listener;
  if (isa::calls(*heard.facts.row)) return listener.on_call(wave, heard.facts, heard.following);
  listener.on_jump(wave, wave.scalar64(heard.facts.scalar_reads.range[0].first));
}

/// Tells the listener of an op that is about to be executed.
void tell_listener(Wave& wave, const Op* op, const Heard& heard) {
  if (isa::leaves(*heard.facts.row)) {
    tell_of_flow(wave, heard);
    if (!heard.is_told) return;
  }
  machine::Step step;
  step.facts = &heard.facts;
  if (heard.facts.row->memory.action != isa::MemoryAction::kNone) {
    wave.current = op;  // an address may have to be read through a resource
    refer_to_addresses(wave, op, *heard.facts.row, step);
    if (heard.facts.to_lds) {
      const bool buffer = heard.facts.row->encoding.format != isa::Format::kFlat &&
                          heard.facts.row->encoding.format != isa::Format::kGlobal;
      step.lds_target = lds_target(wave, op->memory, buffer);
    }
  }
  wave.environment->listener->on_instruction(wave, heard.facts, step);
}

}  // namespace

const Op* run_heard(Wave& wave, const Op* op) {
  const Heard& heard = listened_code_of(wave).heard(op);
  tell_listener(wave, op, heard);
  const Op* const next = heard.inner(wave, op);
  return wave.undefined == nullptr ? next : watch_if_undefined(wave, next);
}

const Op* run_edge(Wave& wave, const Op* op) {
  return listened_code_of(wave).heard(op).edge->run(wave, op);
}

const Op* run_watched(Wave& wave, const Op* op) {
  if (!wave.undefined->any()) return change_form(wave, op, false);
  const Heard& heard = listened_code_of(wave).heard(op);
  if (heard.is_told || isa::leaves(*heard.facts.row)) tell_listener(wave, op, heard);
  // What memory hands to registers and takes from them is the listener's, who knows memory.
  if (isa::concerns_memory(heard.facts.row->memory)) return heard.inner(wave, op);
  return run_by_trials(wave, op, heard);
}

}  // namespace wavetank::execute
