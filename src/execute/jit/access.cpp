#include "execute/jit/access.hpp"

#include "execute/handlers.hpp"
#include "execute/lane_control.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

/// A load's or store's: address, data and results.
Access access_of_move(const Op& op, const isa::Row& row) {
  const MemoryOperands& memory = op.memory;
  Access access;
  access.vector_reads = {memory.address};
  if (row.encoding.format == isa::Format::kFlat &&
      memory.scalar_base == MemoryOperands::kNoScalarBase) {
    access.vector_reads.push_back(memory.address + 1u);
  } else if (row.encoding.format == isa::Format::kFlat) {
    access.scalar_reads = {memory.scalar_base, memory.scalar_base + 1u};
  }
  if (row.memory.action == isa::MemoryAction::kStore) {
    access.vector_reads.push_back(memory.data);
    return access;
  }
  for (unsigned i = 0; i < row.memory.element_count; ++i) {
    access.vector_writes.push_back(memory.result + i);
  }
  return access;
}

}  // namespace

MoveSpace move_space(const Op& op, const isa::Row& row) {
  const isa::MemoryShape& shape = row.memory;
  const bool load = shape.action == isa::MemoryAction::kLoad;
  if (!load && shape.action != isa::MemoryAction::kStore) return MoveSpace::kNone;
  if (shape.element_bytes != 4 || shape.special != isa::MemorySpecial::kNone) {
    return MoveSpace::kNone;
  }
  if (row.encoding.format == isa::Format::kDs) {
    return load || shape.element_count == 1 ? MoveSpace::kLds : MoveSpace::kNone;
  }
  const MemoryOperands& memory = op.memory;
  const bool global = row.encoding.format == isa::Format::kFlat &&
                      memory.segment == isa::Format::kGlobal && !memory.glc && !memory.slc &&
                      !memory.scc;
  return global ? MoveSpace::kGlobal : MoveSpace::kNone;
}

bool has_own_handler(const Op& op) {
  const HandlerSet& set = handlers()[op.row];
  if (op.run == run_sdwa || op.run == run_dpp) return op.lanes.inner == set.general;
  return op.run == set.plain || op.run == set.uniform0 || op.run == set.general;
}

bool does_nothing(const Op& op, const isa::Row& row) {
  return row.pause == isa::Pause::kWait && !op.gives_turn;
}

const Access* OpTable::drawn(std::size_t slot) {
  const auto [place, is_new] = drawn_.try_emplace(slot);
  std::optional<Access>& access = place->second;
  if (is_new && has_own_handler(ops_[slot])) {
    sketch_.clear();
    if (sketch_.draw(ops_[slot], isa::catalogue()[ops_[slot].row], 0)) access = sketch_.touched();
  }
  return access ? &*access : nullptr;
}

const Access* OpTable::in_runs(std::size_t slot, bool with_moves) {
  const isa::Row& row = isa::catalogue()[ops_[slot].row];
  if (!with_moves || !has_own_handler(ops_[slot]) ||
      move_space(ops_[slot], row) == MoveSpace::kNone) {
    return drawn(slot);
  }
  const auto [place, is_new] = moves_.try_emplace(slot);
  if (is_new) place->second = access_of_move(ops_[slot], row);
  return &*place->second;
}

}  // namespace wavetank::execute::jit
