#include "execute/jit/access.hpp"

#include <algorithm>

namespace wavetank::execute::jit {
namespace {

constexpr unsigned kVcc = 106, kScalarRegisters = 128;

void add_source(Access& access, const Op& op, unsigned index, isa::Type type) {
  const unsigned dwords = isa::dwords_of(type);
  if (type == isa::Type::kMask) {
    if (op.kind[index] == Source::kScalar) access.mask_reads.push_back(op.src[index] / 4);
    return;
  }
  for (unsigned i = 0; i < dwords; ++i) {
    if (op.kind[index] == Source::kVector) {
      // Each half of a packed result may read either register of a pair.
      const unsigned chosen = ((i == 0 ? op.op_sel : op.op_sel_hi) >> index) & 1;
      access.vector_reads.push_back(op.src[index] / 256 + (type == isa::Type::kPkF32 ? chosen : i));
    } else if (op.kind[index] == Source::kScalar && op.src[index] / 4 + i < kScalarRegisters) {
      access.scalar_reads.push_back(op.src[index] / 4 + i);
    }
  }
}

/// A load's or store's: address, data and results.
Access access_of_move(const Op& op, const isa::Row& row) {
  constexpr unsigned kNoBase = 0x7f;
  const MemoryOperands& memory = op.memory;
  Access access;
  access.vector_reads = {memory.address};
  if (row.encoding.format == isa::Format::kFlat && memory.scalar_base == kNoBase) {
    access.vector_reads.push_back(memory.address + 1u);
  } else if (row.encoding.format == isa::Format::kFlat) {
    access.scalar_reads = {memory.scalar_base, memory.scalar_base + 1u};
  }
  const Access data = access_of_data(op, row);
  access.vector_reads.insert(access.vector_reads.end(), data.vector_reads.begin(),
                             data.vector_reads.end());
  access.vector_writes = data.vector_writes;
  return access;
}

}  // namespace

Access access_of_data(const Op& op, const isa::Row& row) {
  Access access;
  if (row.memory.action == isa::MemoryAction::kStore) {
    access.vector_reads.push_back(op.memory.data);
    return access;
  }
  for (unsigned i = 0; i < row.memory.element_count; ++i) {
    access.vector_writes.push_back(op.memory.result + i);
  }
  return access;
}

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

Access access_of(const Op& op, const isa::Row& row) {
  if (move_space(op, row) != MoveSpace::kNone) return access_of_move(op, row);
  Access access;
  unsigned index = 0;
  for (const isa::Operand& source : row.sources) {
    if (source.type == isa::Type::kNone) break;
    if (source.role == isa::Role::kAccumulator) {
      for (unsigned i = 0; i < isa::dwords_of(source.type); ++i) {
        access.vector_reads.push_back(op.dst / 256 + i);
      }
    } else if (source.role == isa::Role::kImplicitVcc) {
      access.mask_reads.push_back(kVcc);
    } else {
      add_source(access, op, index++, source.type);
    }
  }
  if (row.result.type != isa::Type::kNone) {
    for (unsigned i = 0; i < isa::dwords_of(row.result.type); ++i) {
      access.vector_writes.push_back(op.dst / 256 + i);
    }
  }
  if (row.mask_result) access.mask_writes.push_back(op.sdst);
  return access;
}

Uses::Uses(std::span<const RunOp> run) {
  for (unsigned i = 0; i < run.size(); ++i) {
    const Access& access = run[i].access;
    for (const unsigned name : access.vector_reads) events_[name].push_back({i, true});
    for (const unsigned name : access.mask_reads) events_[kMaskNames + name].push_back({i, true});
    for (const unsigned name : access.vector_writes) events_[name].push_back({i, false});
    for (const unsigned name : access.mask_writes) events_[kMaskNames + name].push_back({i, false});
  }
}

std::span<const Uses::Event> Uses::from(unsigned name, unsigned op) const {
  const std::vector<Event>& events = events_[name];
  const auto first = std::partition_point(events.begin(), events.end(),
                                          [&](const Event& event) { return event.op < op; });
  return std::span(events).subspan(static_cast<std::size_t>(first - events.begin()));
}

}  // namespace wavetank::execute::jit
