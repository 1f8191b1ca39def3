#include "execute/jit/access.hpp"

#include <algorithm>

#include "execute/handlers.hpp"
#include "execute/jit/mask_ops.hpp"
#include "execute/jit/scalar_rows.hpp"
#include "execute/lane_control.hpp"
#include "isa/catalogue.hpp"
#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

/// The SGPRs in which a kernel finds the buffer of its scratch (AMDGPUUsage, "Initial Kernel
/// Execution State") and LLVM leaves it. Code for other buffers would try in vain, each time it
/// runs.
constexpr unsigned kScratchBuffer = 0;

MoveSpace space_of(const Op& op, const isa::Row& row) {
  if (row.encoding.format == isa::Format::kDs) return MoveSpace::kLds;
  const MemoryOperands& memory = op.memory;
  if (memory.asks_others || memory.lds) return MoveSpace::kNone;
  if (row.encoding.format == isa::Format::kMubuf) {
    return memory.scalar_base == kScratchBuffer && !memory.idxen ? MoveSpace::kScratch
                                                                 : MoveSpace::kNone;
  }
  if (row.encoding.format != isa::Format::kFlat) return MoveSpace::kNone;
  // What of a flat access is not in global memory is left to handlers, as other addresses are.
  return memory.segment == isa::Format::kScratch ? MoveSpace::kScratch : MoveSpace::kGlobal;
}

/// What of an access to scratch is the same for all lanes: its buffer, or where scratch begins.
std::vector<unsigned> scalars_of_scratch(const Op& op, const isa::Row& row) {
  const MemoryOperands& memory = op.memory;
  const unsigned base = memory.scalar_base;
  if (row.encoding.format == isa::Format::kMubuf) {
    std::vector<unsigned> read{base, base + 1, base + 2, base + 3};
    if (memory.scalar_offset < isa::operand::kScalarFile) read.push_back(memory.scalar_offset);
    return read;
  }
  std::vector<unsigned> read{isa::operand::kFlatScratch, isa::operand::kFlatScratch + 1u};
  if (memory.has_scalar_base()) read.push_back(base);
  return read;
}

/// A load's or store's: address, data and results.
Access access_of_move(const Op& op, const isa::Row& row) {
  const MemoryOperands& memory = op.memory;
  const Move move = move_of(op, row);
  Access access;
  if (move.space != MoveSpace::kScratch || has_lane_offsets(op, row)) {
    access.vector_reads = {memory.address};
  }
  if (move.space == MoveSpace::kScratch) {
    access.scalar_reads = scalars_of_scratch(op, row);
  } else if (move.space == MoveSpace::kGlobal && memory.has_scalar_base()) {
    access.scalar_reads = {memory.scalar_base, memory.scalar_base + 1u};
  } else if (move.space == MoveSpace::kGlobal) {
    access.vector_reads.push_back(memory.address + 1u);
  }
  for (unsigned i = 0; i < move.elements * move.words(); ++i) {
    if (move.stores)
      access.vector_reads.push_back(memory.data + i);
    else
      access.vector_writes.push_back(memory.result + i);
  }
  return access;
}

/// The lanes' dwords alternate.
Move move_of_scratch(const isa::MemoryShape& shape) {
  const bool stores = shape.action == isa::MemoryAction::kStore;
  const unsigned dwords = std::max(shape.element_bytes / 4u, 1u);
  const bool merges = stores && shape.element_bytes < 4;
  return {MoveSpace::kScratch, stores, 4, dwords, {0, 256, 512, 768}, merges};
}

}  // namespace

bool has_lane_offsets(const Op& op, const isa::Row& row) {
  return row.encoding.format == isa::Format::kMubuf ? op.memory.offen : op.memory.use_address;
}

Move move_of(const Op& op, const isa::Row& row) {
  const isa::MemoryShape& shape = row.memory;
  const bool load = shape.action == isa::MemoryAction::kLoad;
  if (!load && shape.action != isa::MemoryAction::kStore) return {};
  if (shape.special != isa::MemorySpecial::kNone || shape.components != 0) return {};
  const MoveSpace space = space_of(op, row);
  if (space == MoveSpace::kScratch) return move_of_scratch(shape);
  // Two elements would not be stored in the device's order: a strip would store both before the
  // next one its first. Rows of 12 bytes have no code.
  if (!load && (shape.element_count != 1 || shape.element_bytes == 12)) return {};
  Move move{space, !load, shape.element_bytes, shape.element_count, {}};
  const std::int32_t offset = op.memory.offset;
  move.offsets = {offset};
  if (shape.element_count == 2) {
    const std::int32_t unit = shape.element_bytes * (shape.stride64 ? 64 : 1);
    move.offsets = {unit * (offset & 0xff), unit * (offset >> 8 & 0xff)};
  }
  return move.space == MoveSpace::kNone ? Move() : move;
}

bool share_scratch(const Op& a, const Op& b) {
  const bool buffer = row_of(a).encoding.format == isa::Format::kMubuf;
  if (buffer != (row_of(b).encoding.format == isa::Format::kMubuf)) return false;
  return !buffer || a.memory.scalar_offset == b.memory.scalar_offset;
}

bool has_own_handler(const Op& op) {
  const HandlerSet& set = handlers()[op.row];
  const bool wrapped = op.run == run_sdwa || op.run == run_dpp;
  const Handler handler = wrapped ? op.lanes.inner : op.run;
  if (handler == set.usual || handler == set.exact) return true;
  return !wrapped && (handler == set.global || handler == set.scratch);
}

bool is_compiled_load(const Op& op, const isa::Row& row) {
  const isa::MemoryShape& shape = row.memory;
  return row.unit == isa::Unit::kSmem && shape.action == isa::MemoryAction::kLoad &&
         shape.base_dwords == 2 && shape.special == isa::MemorySpecial::kNone &&
         op.memory.scalar_offset >= isa::operand::kIntegerZero &&
         op.memory.scalar_base < isa::operand::kVcc;
}

bool reads_scc(const Op& op) {
  for (unsigned i = 0; i < std::size(op.src); ++i) {
    if (op.kind[i] == Source::kScalar && op.src[i] == offsetof(machine::Wave, scc)) return true;
  }
  return false;
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

std::optional<ScalarAccess> OpTable::among_scalars(std::size_t slot) {
  const Op& op = ops_[slot];
  const isa::Row& row = row_of(op);
  if (row.unit != isa::Unit::kSalu || row.pause != isa::Pause::kNone || !has_own_handler(op) ||
      !draw_scalar(scalar_sketch_, op, row)) {
    return std::nullopt;
  }
  const ScalarSketch& sketch = scalar_sketch_;
  if (sketch.jumps != kNoValue || sketch.exec != kNoValue || sketch.lane != kNoValue) return {};
  ScalarAccess access;
  const auto add = [](auto& set, std::size_t first, Kind kind) {
    for (std::size_t i = first; i < first + (kind == Kind::kLong ? 2 : 1); ++i) {
      if (i < set.size()) set.set(i);
    }
  };
  const Graph& graph = sketch.graph;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph[static_cast<Id>(i)];
    if (node.what == Do::kLaneOf) return {};
    if (node.what == Do::kScalar) add(access.reads, node.bits / 4, node.kind);
  }
  if (sketch.result == kNoValue) return access;
  add(access.writes, op.dst / 4, graph[sketch.result].kind);
  return is_used_by_name(op.dst / 4) ? std::optional(access) : std::nullopt;
}

std::optional<ScalarAccess> OpTable::of_load(std::size_t slot) const {
  const Op& op = ops_[slot];
  const isa::Row& row = row_of(op);
  if (!has_own_handler(op) || !is_compiled_load(op, row)) return std::nullopt;
  ScalarAccess access;
  for (unsigned i = 0; i < 2; ++i) access.reads.set(op.memory.scalar_base + i);
  for (unsigned i = 0; i < row.memory.result_dwords; ++i) {
    const unsigned sgpr = op.dst / 4 + i;
    if (!is_used_by_name(sgpr & ~1u)) return std::nullopt;
    access.writes.set(sgpr);
  }
  return access;
}

std::optional<OpTable::MaskAccess> OpTable::among_masks(std::size_t slot) {
  const Op& op = ops_[slot];
  sketch_.clear();
  if (!has_own_handler(op) || !draw_mask_op(sketch_, scalar_sketch_, op, 0)) return std::nullopt;
  return MaskAccess{sketch_.touched(), scalar_sketch_.scc != kNoValue};
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
