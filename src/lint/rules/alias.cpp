// Loads that are repeated because a store might have changed what they load.
#include <fmt/format.h>

#include <algorithm>

#include "lint/access.hpp"
#include "lint/provenance.hpp"
#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

/// A load of a loop, or a store.
struct OfArgument {
  std::uint32_t step = 0;
  std::uint32_t argument = 0;  ///< its byte among the arguments
};

/// True if a value is the same in each round of a loop.
bool is_made_before(const Subject& subject, ValueId id, std::uint32_t loop) {
  if (id == kNone) return true;
  const Value& value = (*subject.values)[id];
  const auto outside = [&](std::uint32_t block) {
    return !subject.blocks.inside(subject.blocks.blocks[block].loop, loop);
  };
  switch (value.kind) {
    case Value::Kind::kConstant:
    case Value::Kind::kArgument:
    case Value::Kind::kEntry: return true;
    case Value::Kind::kJoin: return outside(value.a);
    default: return outside(subject.blocks.block_of[value.a]);
  }
}

bool is_address_made_before(const Subject& subject, const Address& address, std::uint32_t loop) {
  return std::ranges::all_of(address.base, [&](const Pair& pair) {
    return is_made_before(subject, pair.low, loop) && is_made_before(subject, pair.high, loop);
  });
}

/// True if each round of a loop comes to a block.
bool is_in_each_round(const Blocks& blocks, std::uint32_t block, const Loop& loop) {
  return std::ranges::all_of(blocks.blocks[loop.header].before, [&](std::uint32_t from) {
    return !std::ranges::count(loop.blocks, from) || blocks.dominates(block, from);
  });
}

/// What an innermost loop does to memory, if each access is to an array that an argument names.
struct LoopAccesses {
  std::vector<OfArgument> loads, stores;
};

std::optional<LoopAccesses> accesses_of(const Subject& subject, const Loop& loop) {
  LoopAccesses found;
  for (const std::uint32_t b : loop.blocks) {
    const Block& block = subject.blocks.blocks[b];
    for (std::uint32_t step = block.first; step < block.end; ++step) {
      const machine::FlowStep& flow = subject.code.flow[step];
      if (orders_memory(flow)) return std::nullopt;
      if ((touched_memory(flow.facts) & kTouchesGlobal) == 0) continue;
      const bool stores = flow.facts.row->memory.action == isa::MemoryAction::kStore;
      const auto argument = argument_accessed(subject, step);
      if (stores && !argument) return std::nullopt;
      if (argument) (stores ? found.stores : found.loads).push_back({step, *argument});
    }
  }
  return found;
}

void look_at(const Subject& subject, std::uint32_t number, Findings& findings) {
  const Loop& loop = subject.blocks.loops[number];
  const auto accesses = accesses_of(subject, loop);
  if (!accesses || accesses->stores.empty()) return;
  for (const OfArgument& load : accesses->loads) {
    const auto access = access_of(subject, load.step);
    const std::uint32_t block = subject.blocks.block_of[load.step];
    if (!access || subject.blocks.loop_of(load.step) != number) continue;
    const bool other = std::ranges::none_of(
        accesses->stores, [&](const OfArgument& store) { return store.argument == load.argument; });
    if (!other || !is_in_each_round(subject.blocks, block, loop)) continue;
    if (!is_address_made_before(subject, access->address, number)) continue;
    Finding finding;
    finding.step = load.step;
    finding.others = {accesses->stores.front().step};
    finding.what =
        "each round of a loop loads the same again, because it stores through another "
        "pointer";
    finding.note = "if the arrays of the two arguments do not overlap";
    findings.push_back(std::move(finding));
  }
}

}  // namespace

void find_may_alias(const Subject& subject, Findings& findings) {
  if (subject.values == nullptr || subject.code.calls) return;
  for (std::uint32_t loop = 0; loop < subject.blocks.loops.size(); ++loop) {
    look_at(subject, loop, findings);
  }
}

}  // namespace wavetank::lint
