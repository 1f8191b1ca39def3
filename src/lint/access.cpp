#include "lint/access.hpp"

namespace wavetank::lint {

using isa::MemoryAction;
using machine::MemorySpace;

std::uint8_t touched_memory(const machine::StepFacts& facts) {
  if (facts.to_lds) return kTouchesGlobal | kTouchesLds;
  const bool works = facts.row->memory.action == MemoryAction::kLoad ||
                     facts.row->memory.action == MemoryAction::kStore ||
                     facts.row->memory.action == MemoryAction::kAtomic;
  if (!works || isa::exchanges_registers(facts.row->memory.special)) return kTouchesNothing;
  switch (facts.space) {
    case MemorySpace::kLds: return kTouchesLds;
    case MemorySpace::kGlobal:
      return facts.may_reach_lds ? kTouchesGlobal | kTouchesLds : kTouchesGlobal;
    case MemorySpace::kScalar: return kTouchesGlobal;
    default: return kTouchesNothing;
  }
}

bool orders_memory(const machine::FlowStep& step) {
  const isa::Row& row = *step.facts.row;
  const bool waits_for_others =
      row.pause == isa::Pause::kBarrier || row.pause == isa::Pause::kSleep;
  const bool memory = row.memory.action == MemoryAction::kAtomic ||
                      row.memory.action == MemoryAction::kCacheControl ||
                      row.memory.action == MemoryAction::kLoadToLds;
  return step.leaves || waits_for_others || memory || row.unit == isa::Unit::kMessage ||
         step.facts.meets_others || step.facts.to_lds;
}

std::optional<Access> access_of(const Subject& subject, std::uint32_t step) {
  const machine::StepFacts& facts = subject.code.flow[step].facts;
  const isa::MemoryShape& shape = facts.row->memory;
  const bool plain = shape.special == isa::MemorySpecial::kNone && shape.element_count == 1 &&
                     !facts.glc && !facts.slc && !facts.scc && !facts.to_lds &&
                     !facts.may_reach_lds;
  const bool moves = shape.action == MemoryAction::kLoad || shape.action == MemoryAction::kStore;
  if (!plain || !moves) return std::nullopt;
  auto address = address_of(subject, step);
  if (!address) return std::nullopt;
  Access access;
  access.step = step;
  access.stores = shape.action == MemoryAction::kStore;
  access.lds = facts.space == MemorySpace::kLds;
  access.bytes = shape.element_bytes;
  access.address = *address;
  return access;
}

}  // namespace wavetank::lint
