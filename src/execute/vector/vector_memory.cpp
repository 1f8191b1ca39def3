// Handlers of FLAT, GLOBAL, SCRATCH and MUBUF loads and stores.
#include "execute/registry.hpp"
#include "execute/vector/vector_memory_segment.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

using isa::MemoryAction;
using isa::MemoryShape;

template <class Where, class Move>
const Op* run(Wave& wave, const Op* op) {
  wave.current = op;
  const std::uint64_t exec = wave.exec();
  if (HWY_LIKELY(exec != 0)) {
    std::uint32_t* const rows = wave.vector(Move::first_register(op->memory));
    if (!Where::template run<Move>(wave, op, rows, exec)) {
      Move::slow(wave, op, Where::kSegment, rows, exec);
    }
  }
  return op + op->dwords;
}

/// A load into LDS.
template <class Where, class Move>
HWY_NOINLINE const Op* run_to_lds(Wave& wave, const Op* op) {
  wave.current = op;
  const std::uint64_t exec = wave.exec();
  if (exec == 0) return op + op->dwords;
  alignas(64) std::uint32_t row[64];
  if (!Where::template run<Move>(wave, op, row, exec)) {
    Move::slow(wave, op, Where::kSegment, row, exec);
  }
  const machine::Workgroup& group = *wave.workgroup;
  const std::uint64_t start = lds_target(wave, op->memory, Where::kSegment == Segment::kBuffer);
  for (std::uint64_t left = exec; left != 0; left &= left - 1) {
    const unsigned lane = first_active(left);
    const std::uint64_t at = start + 4 * lane;
    if (at + 4 <= group.lds_bytes) std::memcpy(group.lds + at, row + lane, 4);
  }
  return op + op->dwords;
}

/// MUBUF loads have the LDS form in one bit.
template <class Where, class Move>
const Op* run_buffer_load(Wave& wave, const Op* op) {
  return op->memory.lds ? run_to_lds<Where, Move>(wave, op) : run<Where, Move>(wave, op);
}

template <class Where, class Move>
constexpr Handler load_handler(MemoryAction action) {
  if constexpr (Move::kElementBytes <= 4) {
    if (action == MemoryAction::kLoadToLds) return run_to_lds<Where, Move>;
    if constexpr (Where::kSegment == Segment::kBuffer) return run_buffer_load<Where, Move>;
  }
  return run<Where, Move>;
}

template <class Where, unsigned kBytes>
Handler short_load(const MemoryShape& shape) {
  const MemoryAction action = shape.action;
  if (shape.d16_high) {
    return shape.sign_extend ? load_handler<Where, Load<kBytes, Extend::kSignHigh>>(action)
                             : load_handler<Where, Load<kBytes, Extend::kZeroHigh>>(action);
  }
  if (!shape.sign_extend) return load_handler<Where, Load<kBytes, Extend::kZero>>(action);
  return shape.d16 ? load_handler<Where, Load<kBytes, Extend::kSignLow>>(action)
                   : load_handler<Where, Load<kBytes, Extend::kSign>>(action);
}

template <class Where>
Handler load_of(const MemoryShape& shape) {
  switch (shape.element_bytes) {
    case 1: return short_load<Where, 1>(shape);
    case 2: return short_load<Where, 2>(shape);
    case 4: return load_handler<Where, Load<4>>(shape.action);
    case 8: return load_handler<Where, Load<8>>(shape.action);
    case 12: return load_handler<Where, Load<12>>(shape.action);
    case 16: return load_handler<Where, Load<16>>(shape.action);
    default: return nullptr;
  }
}

template <class Where>
Handler store_of(const MemoryShape& shape) {
  switch (shape.element_bytes) {
    case 1: return shape.d16_high ? run<Where, Store<1, true>> : run<Where, Store<1>>;
    case 2: return shape.d16_high ? run<Where, Store<2, true>> : run<Where, Store<2>>;
    case 4: return run<Where, Store<4>>;
    case 8: return run<Where, Store<8>>;
    case 12: return run<Where, Store<12>>;
    case 16: return run<Where, Store<16>>;
    default: return nullptr;
  }
}

/// The handler of a plain load or store; nullptr for other rows.
template <class Where>
Handler handler_of(const MemoryShape& shape) {
  if (shape.special != isa::MemorySpecial::kNone) return nullptr;
  switch (shape.action) {
    case MemoryAction::kLoad: case MemoryAction::kLoadToLds: return load_of<Where>(shape);
    case MemoryAction::kStore: return store_of<Where>(shape);
    default: return nullptr;
  }
}

HandlerSet handlers_of(const isa::Row& row) {
  const MemoryShape& shape = row.memory;
  HandlerSet set;
  switch (row.encoding.format) {
    case isa::Format::kFlat:
      set.in_segment(isa::Format::kFlat) = handler_of<FlatSegment>(shape);
      set.in_segment(isa::Format::kGlobal) = handler_of<GlobalSegment>(shape);
      set.in_segment(isa::Format::kScratch) = handler_of<ScratchSegment>(shape);
      break;
    case isa::Format::kGlobal: set.plain = handler_of<GlobalSegment>(shape); break;
    case isa::Format::kScratch: set.plain = handler_of<ScratchSegment>(shape); break;
    case isa::Format::kMubuf: set.plain = handler_of<BufferSegment>(shape); break;
    default: break;
  }
  return set;
}

}  // namespace

void append_vector_memory(Entries& entries) {
  for (const isa::Row& row : isa::catalogue()) {
    const HandlerSet set = handlers_of(row);
    if (set.plain != nullptr) entries.add(row, set);
  }
}

}  // namespace wavetank::execute::WAVETANK_HOST
