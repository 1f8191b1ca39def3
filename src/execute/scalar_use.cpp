#include "execute/scalar_use.hpp"

#include <algorithm>

namespace wavetank::execute {
namespace {

using machine::RegisterRange;

template <class Ranges>
bool any_overlaps(const Ranges& ranges, const RegisterRange& wanted) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const RegisterRange& range) { return range.overlaps(wanted); });
}

/// Its operands do not say which registers it reads or writes.
bool chooses_registers(const isa::Row& row) {
  return row.meaning == isa::Meaning::kRegisterIndexed;
}

}  // namespace

bool visit_readers(const ProgramOps& program, const FactsOf& facts_of, unsigned scalar,
                   std::size_t from,
                   const std::function<bool(std::size_t slot, const machine::StepFacts&)>& visit) {
  const RegisterRange wanted{static_cast<std::uint16_t>(scalar), 1};
  SlotWalk walk(program);
  walk.reach(from);
  while (const auto slot = walk.next()) {
    const machine::StepFacts facts = facts_of(*slot);
    if (facts.row == nullptr || facts.row->indirect_flow || chooses_registers(*facts.row))
      return false;
    if (any_overlaps(facts.scalar_reads, wanted) && !visit(*slot, facts)) return false;
    if (!any_overlaps(facts.scalar_writes, wanted)) walk.reach_successors(*slot);
  }
  return !walk.leaves_program();
}

std::uint8_t unread_dwords(const ProgramOps& program, const FactsOf& facts_of, std::size_t load) {
  const isa::Row& row = row_of(program.ops[load]);
  if (row.encoding.format != isa::Format::kSmem || row.memory.action != isa::MemoryAction::kLoad) {
    return 0;
  }
  const RegisterRange result = facts_of(load).scalar_writes.range[0];
  const std::size_t behind = load + program.ops[load].dwords;
  std::uint8_t unread = 0;
  const auto stop = [](std::size_t, const machine::StepFacts&) { return false; };
  while (
      unread < result.count &&
      visit_readers(program, facts_of, result.first + result.count - 1u - unread, behind, stop)) {
    ++unread;
  }
  return unread;
}

}  // namespace wavetank::execute
