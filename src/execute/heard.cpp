#include "execute/heard.hpp"

#include <atomic>

#include "execute/memory/address.hpp"
#include "execute/program.hpp"
#include "execute/step_address.hpp"
#include "execute/watch/watched.hpp"
#include "isa/flow.hpp"
#include "machine/listener.hpp"

namespace wavetank::execute {

using isa::MemoryAction;
using isa::MemorySpecial;

namespace {

void tell_of_flow(machine::Wave& wave, const Op* op, const Heard& heard) {
  machine::Listener& listener = *wave.environment->listener;
  if (isa::calls(*heard.facts.row)) {
    return listener.on_call(wave, heard.facts, program_of(wave).address_of(op + op->dwords));
  }
  listener.on_jump(wave, wave.scalar64(heard.facts.scalar_reads.range[0].first));
}

}  // namespace

void tell_listener(machine::Wave& wave, const Op* op, const Heard& heard) {
  if (isa::leaves(*heard.facts.row)) {
    tell_of_flow(wave, op, heard);
    if (!program_of(wave).spec().all_heard) return;
  }
  machine::Step step;
  step.facts = &heard.facts;
  if (heard.facts.row->memory.action != MemoryAction::kNone) {
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

const Op* run_heard(machine::Wave& wave, const Op* op) {
  const Heard& heard = program_of(wave).heard(op);
  tell_listener(wave, op, heard);
  const Op* const next = heard.inner(wave, op);
  return wave.undefined == nullptr ? next : watch_if_undefined(wave, next);
}

bool is_heard(const isa::Row& row, bool hears_waits) {
  if (isa::leaves(row)) return true;
  if (row.memory.action != MemoryAction::kNone) {
    return !isa::exchanges_registers(row.memory.special);
  }
  if (row.pause == isa::Pause::kWait) return hears_waits;
  return row.pause == isa::Pause::kBarrier || row.pause == isa::Pause::kEnd;
}

bool learns_of_others(const isa::Row& row) {
  return row.memory.invalidates_l1 || row.memory.special == MemorySpecial::kGwsBarrier;
}

bool asks_other_groups(const Op& op) {
  const isa::Row& row = Program::row_of(&op);
  if (row.encoding.format == isa::Format::kDs) return false;
  if (row.memory.action == MemoryAction::kAtomic) return op.memory.returns;
  return row.memory.action == MemoryAction::kLoad && (op.memory.glc || op.memory.scc);
}

std::uint32_t next_instruction_index() {
  static std::atomic<std::uint32_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace wavetank::execute
