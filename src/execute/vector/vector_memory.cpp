// Handlers of FLAT, GLOBAL, SCRATCH and MUBUF loads and stores.
#include "execute/registry.hpp"
#include "execute/vector/move_handler.hpp"
#include "execute/vector/vector_memory_segment.hpp"

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

/// The handler of a plain load or store; nullptr for other rows.
template <class Where>
Handler handler_of(const MemoryShape& shape) {
  if (shape.special != isa::MemorySpecial::kNone) return nullptr;
  switch (shape.action) {
    case MemoryAction::kLoad:
    case MemoryAction::kLoadToLds:
      return handler_of_load(shape,
                             [&]<class Move>() { return load_handler<Where, Move>(shape.action); });
    case MemoryAction::kStore:
      return handler_of_store(shape, []<class Move>() -> Handler { return run<Where, Move>; });
    default: return nullptr;
  }
}

HandlerSet handlers_of(const isa::Row& row) {
  const MemoryShape& shape = row.memory;
  HandlerSet set;
  switch (row.encoding.format) {
    case isa::Format::kFlat:
      set.usual = handler_of<FlatSegment>(shape);
      set.global = handler_of<GlobalSegment>(shape);
      set.scratch = handler_of<ScratchSegment>(shape);
      break;
    case isa::Format::kGlobal: set.usual = handler_of<GlobalSegment>(shape); break;
    case isa::Format::kScratch: set.usual = handler_of<ScratchSegment>(shape); break;
    case isa::Format::kMubuf: set.usual = handler_of<BufferSegment>(shape); break;
    default: break;
  }
  return set;
}

}  // namespace

void append_vector_memory(Entries& entries) { append_rows(entries, handlers_of); }

}  // namespace wavetank::execute::WAVETANK_HOST
