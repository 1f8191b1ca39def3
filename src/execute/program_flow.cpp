#include "execute/program_flow.hpp"

#include <unordered_map>

#include "execute/step_facts.hpp"
#include "isa/flow.hpp"

namespace wavetank::execute {

using machine::FlowStep;

/// Data between the functions may look like instructions.
bool holds_row(const Program& program, const std::function<bool(const isa::Row&)>& wanted) {
  const auto* const code = reinterpret_cast<const std::uint32_t*>(program.spec().code);
  const std::size_t dwords = program.spec().code_bytes / 4;
  for (std::size_t at = 0; at < dwords;) {
    const auto instruction = program.decoder().decode({code + at, dwords - at},
                                                      reinterpret_cast<std::uint64_t>(code + at));
    if (instruction && wanted(*instruction->row)) return true;
    at += instruction ? instruction->dwords : 1;
  }
  return false;
}

machine::Flow flow_of(const Program& program) {
  const ProgramSpec& spec = program.spec();
  const auto* const code = reinterpret_cast<const std::uint32_t*>(spec.code);
  const std::size_t dwords = spec.code_bytes / 4;
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
    const auto instruction = program.decoder().decode({code + slot, dwords - slot},
                                                      reinterpret_cast<std::uint64_t>(code + slot));
    if (!instruction) continue;  // what no wave may come to (Program::at)
    const isa::Row& row = *instruction->row;
    FlowStep& step = flow[i];
    step.facts = step_facts(*instruction, spec.accum_offset);
    step.facts.offset_bytes = 4 * slot;
    const std::size_t next = slot + instruction->dwords;
    if (!row.ends_flow(instruction->imm)) step.following = number(next);
    if (isa::branches(row)) step.target = number(next + static_cast<std::size_t>(instruction->imm));
    step.leaves = isa::leaves(row);
  }
  return flow;
}

}  // namespace wavetank::execute
