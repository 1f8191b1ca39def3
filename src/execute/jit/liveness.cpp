#include "execute/jit/liveness.hpp"

#include <algorithm>

#include "execute/jit/scalar_rows.hpp"
#include "isa/catalogue.hpp"
#include "isa/flow.hpp"
#include "machine/register_set.hpp"

namespace wavetank::execute::jit {
namespace {

constexpr unsigned kVcc = 106, kExec = 126;

const isa::Row& row_of(const Op& op) { return isa::catalogue()[op.row]; }

template <std::size_t kBits>
void add(std::bitset<kBits>& set, unsigned first, unsigned count = 1) {
  for (unsigned i = first; i < first + count && i < kBits; ++i) set.set(i);
}

/// Does a load overwrite all of its result's registers, in active lanes?
bool loads_whole_registers(const isa::Row& row, const machine::StepFacts& facts) {
  return row.memory.action == isa::MemoryAction::kLoad && !row.memory.d16 && !facts.to_lds &&
         row.memory.special == isa::MemorySpecial::kNone && row.unit != isa::Unit::kSmem;
}

/// Are the registers that an instruction names all that it reads? Of the scalar ALU only what is
/// compiled: others address SGPRs by M0. How many coordinates an image has says its resource.
bool names_what_it_reads(const isa::Row& row) {
  if (row.encoding.format == isa::Format::kMimg) return false;
  switch (row.unit) {
    case isa::Unit::kMessage: return false;
    case isa::Unit::kSalu: return draws_scalar(row);
    default: return true;
  }
}

}  // namespace

void Liveness::State::operator|=(const State& other) {
  vectors |= other.vectors;
  ever |= other.ever;
  scalars |= other.scalars;
}

Liveness::Liveness(OpTable& ops, std::span<const std::size_t> slots,
                   std::span<const std::size_t> leaders, const FactsOf& facts_of)
    : ops_(ops), slots_(slots), facts_of_(facts_of) {
  find_blocks(leaders);
  solve();
}

// ---- blocks

void Liveness::find_blocks(std::span<const std::size_t> leaders) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::size_t slot = slots_[i];
    const bool follows = i > 0 && slots_[i - 1] + ops_[slots_[i - 1]].dwords == slot;
    const bool after_branch = i > 0 && (isa::branches(row_of(ops_[slots_[i - 1]])) ||
                                        isa::leaves(row_of(ops_[slots_[i - 1]])));
    if (!follows || after_branch || std::binary_search(leaders.begin(), leaders.end(), slot)) {
      if (!blocks_.empty()) blocks_.back().end = i;
      blocks_.push_back({i, i, {}, false, {}});
    }
  }
  if (!blocks_.empty()) blocks_.back().end = slots_.size();
  for (Block& block : blocks_) {
    const Op& last = ops_[slots_[block.end - 1]];
    const isa::Row& row = row_of(last);
    const std::size_t next = slots_[block.end - 1] + last.dwords;
    if (row.pause == isa::Pause::kEnd) continue;
    if (isa::leaves(row)) {
      block.escapes = true;
      continue;
    }
    if (!row.ends_flow(static_cast<std::int32_t>(last.branch))) connect(block, next);
    if (isa::branches(row)) connect(block, next + static_cast<std::size_t>(last.branch));
  }
}

/// The block that a slot is in, or as many as there are.
std::size_t Liveness::block_of(std::size_t slot) const {
  const auto place = std::lower_bound(slots_.begin(), slots_.end(), slot);
  if (place == slots_.end() || *place != slot) return blocks_.size();
  const auto index = static_cast<std::size_t>(place - slots_.begin());
  const auto next =
      std::upper_bound(blocks_.begin(), blocks_.end(), index,
                       [](std::size_t i, const Block& block) { return i < block.begin; });
  return static_cast<std::size_t>(next - blocks_.begin()) - 1;
}

void Liveness::connect(Block& block, std::size_t slot) {
  const std::size_t target = block_of(slot);
  if (target == blocks_.size() || slots_[blocks_[target].begin] != slot) {
    block.escapes = true;
  } else {
    block.successors.push_back(target);
  }
}

// ---- the flow of values, from the ends of blocks to their begins

Liveness::State Liveness::behind(const Block& block) const {
  State state;
  if (block.escapes) {
    state.vectors.set();
    state.ever.set();
    state.scalars.set();
    return state;
  }
  for (const std::size_t next : block.successors) state |= blocks_[next].live;
  return state;
}

void Liveness::solve() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = blocks_.size(); i-- > 0;) {
      Block& block = blocks_[i];
      State state = behind(block);
      for (std::size_t at = block.end; at-- > block.begin;) pass(state, slots_[at]);
      changed = changed || state != block.live;
      block.live = state;
    }
  }
}

Live Liveness::before(std::size_t slot) {
  const std::size_t number = block_of(slot);
  Live live;
  if (number == blocks_.size()) {
    live.vectors.set();
    live.scalars.set();
    return live;
  }
  const Block& block = blocks_[number];
  State state = behind(block);
  for (std::size_t at = block.end; at-- > block.begin && slots_[at] >= slot;) {
    pass(state, slots_[at]);
  }
  return {state.vectors, state.scalars};
}

/// From behind an op to before it.
void Liveness::pass(State& state, std::size_t slot) {
  const Effect effect = effect_of(slot);
  if (effect.unknown) {
    state.vectors.set();
    state.ever.set();
    state.scalars.set();
    return;
  }
  if (effect.ends) state = {};
  if (effect.changes_exec) state.vectors = state.ever;
  state.vectors &= ~effect.overwrites;
  state.vectors |= effect.reads;
  state.ever |= effect.reads;
  state.scalars &= ~effect.scalar_writes;
  state.scalars |= effect.scalar_reads;
}

// ---- ops

Liveness::Effect Liveness::effect_of(std::size_t slot) {
  const Op& op = ops_[slot];
  const isa::Row& row = row_of(op);
  Effect effect;
  effect.ends = row.pause == isa::Pause::kEnd;
  if (effect.ends || row.pause == isa::Pause::kWait || row.pause == isa::Pause::kBarrier) {
    return effect;
  }
  const Access* const access = ops_.in_runs(slot, true);
  if (access == nullptr) return effect_by_facts(slot);
  for (const unsigned name : access->vector_reads) add(effect.reads, name);
  for (const unsigned name : access->vector_writes) add(effect.overwrites, name);
  for (const unsigned sgpr : access->scalar_reads) add(effect.scalar_reads, sgpr);
  for (const unsigned sgpr : access->mask_reads) add(effect.scalar_reads, sgpr, 2);
  for (const unsigned sgpr : access->mask_writes) {
    add(effect.scalar_writes, sgpr, 2);
    effect.changes_exec = effect.changes_exec || sgpr + 1 >= kExec;
  }
  // FLAT_SCRATCH and the resource of scratch are not named.
  if (row.memory.action != isa::MemoryAction::kNone) add(effect.scalar_reads, 102, 4);
  return effect;
}

Liveness::Effect Liveness::effect_by_facts(std::size_t slot) const {
  Effect effect;
  const machine::StepFacts facts = facts_of_ ? facts_of_(slot) : machine::StepFacts{};
  effect.unknown =
      facts.row == nullptr || isa::leaves(*facts.row) || !names_what_it_reads(*facts.row);
  if (effect.unknown) return effect;
  const isa::Row& row = *facts.row;
  for (const auto& range : facts.vector_reads) add(effect.reads, range.first, range.count);
  for (const auto& range : facts.scalar_reads) add(effect.scalar_reads, range.first, range.count);
  add(effect.reads, facts.sum.first, facts.sum.count);
  if (loads_whole_registers(row, facts)) {
    for (const auto& range : facts.vector_writes) {
      add(effect.overwrites, range.first, range.count);
    }
  }
  for (const auto& range : facts.scalar_writes) {
    add(effect.scalar_writes, range.first, range.count);
  }
  effect.changes_exec = machine::writes_exec(facts);
  if (facts.conditional_branch) add(effect.scalar_reads, kVcc, 2);
  if (row.unit == isa::Unit::kFlat || row.unit == isa::Unit::kVectorMemory) {
    add(effect.scalar_reads, 102, 4);
  }
  add(effect.scalar_reads, 124);  // M0, which LDS and messages ask for
  add(effect.scalar_reads, kExec, 2);
  return effect;
}

}  // namespace wavetank::execute::jit
