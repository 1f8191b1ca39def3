#include "execute/jit/access.hpp"

#include "execute/handlers.hpp"
#include "execute/lane_control.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

MoveSpace space_of(const Op& op, const isa::Row& row) {
  if (row.encoding.format == isa::Format::kDs) return MoveSpace::kLds;
  const MemoryOperands& memory = op.memory;
  // What of a flat access is not in global memory is left to handlers, as other addresses are.
  const bool global = row.encoding.format == isa::Format::kFlat &&
                      memory.segment != isa::Format::kScratch && !memory.glc && !memory.slc &&
                      !memory.scc && !memory.lds;
  return global ? MoveSpace::kGlobal : MoveSpace::kNone;
}

/// A load's or store's: address, data and results.
Access access_of_move(const Op& op, const isa::Row& row) {
  const MemoryOperands& memory = op.memory;
  Access access;
  access.vector_reads = {memory.address};
  if (row.encoding.format == isa::Format::kFlat && !memory.has_scalar_base()) {
    access.vector_reads.push_back(memory.address + 1u);
  } else if (row.encoding.format == isa::Format::kFlat) {
    access.scalar_reads = {memory.scalar_base, memory.scalar_base + 1u};
  }
  const Move move = move_of(op, row);
  for (unsigned i = 0; i < move.elements * move.words(); ++i) {
    if (move.stores)
      access.vector_reads.push_back(memory.data + i);
    else
      access.vector_writes.push_back(memory.result + i);
  }
  return access;
}

}  // namespace

Move move_of(const Op& op, const isa::Row& row) {
  const isa::MemoryShape& shape = row.memory;
  const bool load = shape.action == isa::MemoryAction::kLoad;
  if (!load && shape.action != isa::MemoryAction::kStore) return {};
  if (shape.special != isa::MemorySpecial::kNone || shape.components != 0) return {};
  // Two elements would not be stored in the device's order: a strip would store both before the
  // next one its first. Rows of 12 bytes have no code.
  if (!load && (shape.element_count != 1 || shape.element_bytes == 12)) return {};
  Move move{space_of(op, row), !load, shape.element_bytes, shape.element_count, {}};
  const std::int32_t offset = op.memory.offset;
  move.offsets = {offset, offset};
  if (shape.element_count == 2) {
    const std::int32_t unit = shape.element_bytes * (shape.stride64 ? 64 : 1);
    move.offsets = {unit * (offset & 0xff), unit * (offset >> 8 & 0xff)};
  }
  return move.space == MoveSpace::kNone ? Move() : move;
}

bool has_own_handler(const Op& op) {
  const HandlerSet& set = handlers()[op.row];
  if (op.run == run_sdwa || op.run == run_dpp) return op.lanes.inner == set.general;
  return op.run == set.plain || op.run == set.uniform0 || op.run == set.general;
}

bool does_nothing(const Op& op, const isa::Row& row) {
  return row.pause == isa::Pause::kWait && !op.gives_turn;
}

const Access* OpTable::in_runs(std::size_t slot) {
  const auto [place, is_new] = accesses_.try_emplace(slot);
  std::optional<Access>& access = place->second;
  if (is_new) access = find_access(ops_[slot]);
  return access ? &*access : nullptr;
}

std::optional<Access> OpTable::find_access(const Op& op) {
  if (!has_own_handler(op)) return std::nullopt;
  const isa::Row& row = isa::catalogue()[op.row];
  if (move_of(op, row).space != MoveSpace::kNone) return access_of_move(op, row);
  sketch_.clear();
  if (!sketch_.draw(op, row, 0)) return std::nullopt;
  return sketch_.touched();
}

}  // namespace wavetank::execute::jit
