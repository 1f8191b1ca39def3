#include "execute/program_flow.hpp"

#include <unordered_map>

#include "isa/flow.hpp"

namespace wavetank::execute {

using machine::FlowStep;

/// Data between the functions may look like instructions.
bool holds_row(const Program& program, const std::function<bool(const isa::Row&)>& wanted) {
  const std::size_t dwords = program.spec().code_bytes / 4;
  for (std::size_t at = 0; at < dwords;) {
    const auto instruction = program.decoded(at);
    if (instruction && wanted(*instruction->row)) return true;
    at += instruction ? instruction->dwords : 1;
  }
  return false;
}

machine::Flow flow_of(const Program& program) {
  const std::vector<std::size_t> slots = program.slots();
  std::unordered_map<std::size_t, std::uint32_t> number_of;
  for (const std::size_t slot : slots) {
    number_of.emplace(slot, static_cast<std::uint32_t>(number_of.size()));
  }
  const auto number = [&](std::size_t slot) {
    const auto found = number_of.find(slot);
    return found == number_of.end() ? FlowStep::kNowhere : found->second;
  };
  machine::Flow flow(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::size_t slot = slots[i];
    FlowStep& step = flow[i];
    step.facts = program.facts_of_slot(slot);
    if (step.facts.row == nullptr) continue;  // what no wave may come to (Program::at)
    step.facts.offset_bytes = 4 * slot;
    const isa::Row& row = *step.facts.row;
    const std::size_t next = slot + step.facts.dwords;
    const std::int32_t distance = step.facts.immediate;
    if (!row.ends_flow(distance)) step.following = number(next);
    if (isa::branches(row)) step.target = number(next + static_cast<std::size_t>(distance));
    step.leaves = isa::leaves(row);
  }
  return flow;
}

}  // namespace wavetank::execute
