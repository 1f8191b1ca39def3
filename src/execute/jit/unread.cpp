#include "execute/jit/unread.hpp"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <optional>

#include "execute/jit/run.hpp"
#include "execute/jit/scalar_code.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

constexpr unsigned kExecSgpr = 126, kNoRegister = 0xffff;

using Registers = std::bitset<Sketch::kVectors>;

/// What an op means for vector registers.
struct Effect {
  Registers reads, overwrites;
  bool changes_exec = false;
};

void add(Registers& registers, unsigned first, unsigned count) {
  for (unsigned i = 0; i < count && first != kNoRegister; ++i) registers.set(first + i);
}

Effect effect_of_vector(const Access& access) {
  Effect effect;
  for (const unsigned name : access.vector_reads) effect.reads.set(name);
  for (const unsigned name : access.vector_writes) effect.overwrites.set(name);
  for (const unsigned sgpr : access.mask_writes) {
    effect.changes_exec = effect.changes_exec || sgpr == kExecSgpr;
  }
  return effect;
}

/// Plain loads and stores of global memory and of LDS.
std::optional<Effect> effect_of_memory(const Op& op, const isa::Row& row) {
  const isa::MemoryShape& shape = row.memory;
  const MemoryOperands& memory = op.memory;
  const bool global = row.encoding.format == isa::Format::kFlat &&
                      memory.segment == isa::Format::kGlobal && !memory.lds;
  const bool plain =
      shape.action == isa::MemoryAction::kLoad || shape.action == isa::MemoryAction::kStore;
  if ((!global && row.encoding.format != isa::Format::kDs) || !plain || shape.d16 ||
      shape.special != isa::MemorySpecial::kNone) {
    return std::nullopt;
  }
  Effect effect;
  add(effect.reads, memory.address, global ? 2 : 1);
  add(effect.reads, memory.data, shape.data_dwords);
  if (shape.data2_dwords != 0) add(effect.reads, memory.data2, shape.data2_dwords);
  if (shape.result_dwords != 0) add(effect.overwrites, memory.result, shape.result_dwords);
  return effect;
}

/// Nothing if the op is unknown here, or has more than one successor.
std::optional<Effect> effect_of(OpTable& ops, std::size_t slot) {
  const Op& op = ops[slot];
  const isa::Row& row = isa::catalogue()[op.row];
  if (row.pause == isa::Pause::kWait || row.pause == isa::Pause::kBarrier) return Effect();
  if (!has_own_handler(op)) return std::nullopt;
  if (const Access* const access = ops.drawn(slot)) return effect_of_vector(*access);
  if (row.memory.action != isa::MemoryAction::kNone && row.unit != isa::Unit::kSmem) {
    return effect_of_memory(op, row);
  }
  const bool load = row.unit == isa::Unit::kSmem && row.memory.action == isa::MemoryAction::kLoad;
  if (!load && !knows_scalar(row)) return std::nullopt;
  Effect effect;
  effect.changes_exec = true;  // for all that is known here
  return effect;
}

}  // namespace

void find_dead_registers(OpTable& ops, Run& run) {
  constexpr unsigned kFarthest = 64;
  run.dead_registers.clear();
  Registers open, dead;
  for (const RunOp& step : run.ops) {
    for (const unsigned name : step.access.vector_writes) open.set(name);
  }
  bool same_exec = true;
  std::size_t slot = run.ends.back();
  for (unsigned i = 0; i < kFarthest && slot < ops.size() && open.any(); ++i) {
    const Op& op = ops[slot];
    if (op.run == nullptr) break;
    const isa::Row& row = isa::catalogue()[op.row];
    if (row.pause == isa::Pause::kEnd) {
      dead |= open;
      break;
    }
    const auto effect = effect_of(ops, slot);
    if (!effect) break;
    open &= ~effect->reads;
    if (same_exec) {
      dead |= open & effect->overwrites;
      open &= ~effect->overwrites;
    }
    same_exec = same_exec && !effect->changes_exec;
    slot += op.dwords;
  }
  for (unsigned name = 0; name < dead.size(); ++name) {
    if (dead.test(name)) run.dead_registers.push_back(name);
  }
}

bool leaves_no_registers(const Run& run) {
  const std::vector<unsigned>& dead = run.dead_registers;
  return std::all_of(run.ops.begin(), run.ops.end(), [&](const RunOp& step) {
    const std::vector<unsigned>& written = step.access.vector_writes;
    return std::all_of(written.begin(), written.end(), [&](unsigned name) {
      return std::find(dead.begin(), dead.end(), name) != dead.end();
    });
  });
}

}  // namespace wavetank::execute::jit
