#include "execute/jit/liveness.hpp"

#include <algorithm>

#include "execute/jit/scalar_rows.hpp"
#include "isa/catalogue.hpp"
#include "isa/flow.hpp"
#include "isa/operand_code.hpp"
#include "machine/register_set.hpp"

namespace wavetank::execute::jit {
namespace {

using isa::operand::kExec, isa::operand::kFlatScratch, isa::operand::kM0, isa::operand::kVcc;

template <std::size_t kBits>
void add(std::bitset<kBits>& set, unsigned first, unsigned count = 1) {
  for (unsigned i = first; i < first + count && i < kBits; ++i) set.set(i);
}

/// Does a load overwrite all of its result's registers, in active lanes?
bool loads_whole_registers(const isa::Row& row, const machine::StepFacts& facts) {
  return row.memory.action == isa::MemoryAction::kLoad && !row.memory.d16 && !facts.to_lds &&
         row.memory.special == isa::MemorySpecial::kNone && row.unit != isa::Unit::kSmem;
}

/// Does the wave not simply go on after it?
bool changes_flow(const isa::Row& row) {
  return isa::branches(row) || isa::leaves(row) || row.pause == isa::Pause::kEnd;
}

/// Are the registers that an instruction names all that it reads? Of the scalar ALU only what is
/// compiled: others address SGPRs by M0. How many coordinates an image has says its resource.
/// Behind where register indexing begins, M0 chooses vector registers.
bool names_what_it_reads(const isa::Row& row) {
  if (row.indexing != isa::RegisterIndexing::kNone) return false;
  if (row.encoding.format == isa::Format::kMimg) return false;
  switch (row.unit) {
    case isa::Unit::kMessage: return false;
    case isa::Unit::kSalu: return draws_scalar(row);
    default: return true;
  }
}

}  // namespace

Liveness::State Liveness::State::all() {
  State state;
  state.vectors.set();
  state.ever.set();
  state.scalars.set();
  return state;
}

Liveness::State Liveness::Passage::before(const State& behind) const {
  State state = comes;
  state.vectors |= (exec_changes ? behind.ever : behind.vectors) & stay;
  state.ever |= behind.ever;
  state.scalars |= behind.scalars & scalars_stay;
  return state;
}

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
  looked_into_ = blocks_.size();
}

// ---- blocks

void Liveness::find_blocks(std::span<const std::size_t> leaders) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::size_t slot = slots_[i];
    const bool follows = i > 0 && slots_[i - 1] + ops_[slots_[i - 1]].dwords == slot;
    const bool after_flow = i > 0 && changes_flow(row_of(ops_[slots_[i - 1]]));
    if (!follows || after_flow || std::binary_search(leaders.begin(), leaders.end(), slot)) {
      if (!blocks_.empty()) blocks_.back().end = i;
      blocks_.push_back({i, i, {}, false, {}, {}});
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
  if (block.escapes) return State::all();
  State state;
  for (const std::size_t next : block.successors) state |= blocks_[next].live;
  return state;
}

void Liveness::solve() {
  for (Block& block : blocks_) {
    for (std::size_t at = block.end; at-- > block.begin;) precede(block.passage, slots_[at]);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = blocks_.size(); i-- > 0;) {
      Block& block = blocks_[i];
      const State state = block.passage.before(behind(block));
      changed = changed || state != block.live;
      block.live = state;
    }
  }
}

/// An op before a stretch makes it longer.
void Liveness::precede(Passage& passage, std::size_t slot) {
  const Effect effect = effect_of(slot);
  if (effect.unknown) {
    passage.comes = State::all();
    return;
  }
  if (effect.changes_exec) {
    passage.exec_changes = true;
    passage.stay.set();
    passage.comes.vectors = passage.comes.ever;
  }
  passage.stay &= ~effect.overwrites;
  passage.comes.vectors &= ~effect.overwrites;
  passage.comes.vectors |= effect.reads;
  passage.comes.ever |= effect.reads;
  passage.scalars_stay &= ~effect.scalar_writes;
  passage.comes.scalars &= ~effect.scalar_writes;
  passage.comes.scalars |= effect.scalar_reads;
}

/// Finds what is read before each op of a block: whoever asks goes through its slots in turn.
void Liveness::look_into(std::size_t number) {
  if (looked_into_ == number) return;
  const Block& block = blocks_[number];
  const State end = behind(block);
  inside_.resize(block.end - block.begin);
  Passage passage;
  for (std::size_t at = block.end; at-- > block.begin;) {
    precede(passage, slots_[at]);
    const State state = passage.before(end);
    inside_[at - block.begin] = {state.vectors, state.scalars};
  }
  looked_into_ = number;
}

Live Liveness::before(std::size_t slot) {
  const std::size_t number = block_of(slot);
  if (number == blocks_.size()) {
    const State all = State::all();
    return {all.vectors, all.scalars};
  }
  look_into(number);
  const auto place = std::lower_bound(slots_.begin(), slots_.end(), slot);
  return inside_[static_cast<std::size_t>(place - slots_.begin()) - blocks_[number].begin];
}

// ---- ops

Liveness::Effect Liveness::effect_of(std::size_t slot) {
  const Op& op = ops_[slot];
  const isa::Row& row = row_of(op);
  Effect effect;
  // The block of an op that ends the wave has no successor.
  const bool nothing = row.pause == isa::Pause::kEnd || row.pause == isa::Pause::kWait ||
                       row.pause == isa::Pause::kBarrier;
  if (nothing) return effect;
  const Access* const access = ops_.in_runs(slot);
  if (access == nullptr) return effect_by_facts(slot);
  for (const unsigned name : access->vector_reads) add(effect.reads, name);
  for (const unsigned name : access->vector_writes) add(effect.overwrites, name);
  for (const unsigned sgpr : access->scalar_reads) add(effect.scalar_reads, sgpr);
  for (const unsigned sgpr : access->mask_reads) add(effect.scalar_reads, sgpr, 2);
  const bool moves = row.memory.action != isa::MemoryAction::kNone;
  if (!moves && reads_scc(op)) add(effect.scalar_reads, Live::kScc);
  for (const unsigned sgpr : access->mask_writes) {
    add(effect.scalar_writes, sgpr, 2);
    effect.changes_exec = effect.changes_exec || sgpr + 1 >= kExec;
  }
  // FLAT_SCRATCH and the resource of scratch are not named.
  if (moves) add(effect.scalar_reads, kFlatScratch, 4);
  return effect;
}

/// SCC, and VCC of branches, as a scalar op's drawing has them.
void Liveness::add_unnamed(Effect& effect, const Op& op) {
  if (!draw_scalar(scalar_, op, row_of(op))) {
    add(effect.scalar_reads, kVcc, 2);
    add(effect.scalar_reads, Live::kScc);
    return;
  }
  const Graph& graph = scalar_.graph;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph[static_cast<Id>(i)];
    if (node.what != Do::kScalar) continue;
    if (node.bits == offsetof(machine::Wave, scc)) add(effect.scalar_reads, Live::kScc);
    if (node.bits / 4 - kVcc < 2) add(effect.scalar_reads, kVcc, 2);
  }
  if (scalar_.scc != kNoValue) add(effect.scalar_writes, Live::kScc);
}

Liveness::Effect Liveness::effect_by_facts(std::size_t slot) {
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
  const Op& op = ops_[slot];
  if (row.unit == isa::Unit::kSalu || facts.conditional_branch) {
    add_unnamed(effect, op);
  } else if (row.memory.action == isa::MemoryAction::kNone && reads_scc(op)) {
    add(effect.scalar_reads, Live::kScc);
  }
  if (row.unit == isa::Unit::kFlat || row.unit == isa::Unit::kVectorMemory) {
    add(effect.scalar_reads, kFlatScratch, 4);
  }
  add(effect.scalar_reads, kM0);  // M0, which LDS and messages ask for
  add(effect.scalar_reads, kExec, 2);
  return effect;
}

}  // namespace wavetank::execute::jit
