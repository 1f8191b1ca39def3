#include "execute/heard.hpp"

#include "isa/flow.hpp"

namespace wavetank::execute {

using isa::MemoryAction;
using isa::MemorySpecial;

bool is_heard(const isa::Row& row, bool hears_waits) {
  if (isa::leaves(row)) return true;
  if (row.memory.action != MemoryAction::kNone) return isa::concerns_memory(row.memory);
  if (row.pause == isa::Pause::kWait) return hears_waits;
  return row.pause == isa::Pause::kBarrier || row.pause == isa::Pause::kEnd;
}

bool learns_of_others(const isa::Row& row) {
  return row.memory.invalidates_l1 || row.memory.special == MemorySpecial::kGwsBarrier;
}

bool asks_other_groups(const Op& op) {
  const isa::Row& row = row_of(op);
  if (row.encoding.format == isa::Format::kDs) return false;
  if (row.memory.action == MemoryAction::kAtomic) return op.memory.returns;
  return row.memory.action == MemoryAction::kLoad && op.memory.asks_others;
}

}  // namespace wavetank::execute
