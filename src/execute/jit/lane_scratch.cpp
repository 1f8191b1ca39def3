// Scratch, in which each dword of a lane has those of the other lanes beside it (LLVM AMDGPUUsage,
// "Private Segment Buffer"): the dwords of a strip at one offset lie side by side, and those of the
// next dword a row of 64 lanes further on.
//
// The place of a lane is that of its offset in the dwords of lane 0. One that an access may not
// begin at, because it would not keep to dwords or because it is beyond all scratch, is above
// kMostPlace. A store of less than a dword goes to the place of the whole one.
#include <algorithm>
#include <cstddef>

#include "execute/jit/lane_moves.hpp"
#include "execute/memory/address.hpp"
#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

constexpr std::uint32_t kMostPlace = 1u << 30;
/// The greatest offset whose place has 32 bits; beyond it all are this.
constexpr std::uint32_t kMostOffset = (1u << 26) - 4;
constexpr std::uint32_t kRowMask = ~(machine::kRegisterBytes - 1);
/// The bytes of an offset that are not whole dwords.
constexpr std::uint32_t kWithinDword = 3;

/// Of the fourth word of a buffer's resource, where dwords of the 64 lanes are interleaved.
constexpr std::uint32_t kLaneOfWave = kAddThreadId | kIndexStride64;

/// What of an offset must be 0 for an access not to cross a dword.
std::uint32_t crossing(unsigned element_bytes) { return std::min(element_bytes, 4u) - 1; }

bool adds_scalar(const Op& op, const isa::Row& row) {
  return row.encoding.format == isa::Format::kFlat && op.memory.has_scalar_base();
}

/// Where in a lane's scratch an access begins.
Id draw_offset(Sketch& sketch, const RunOp& step) {
  const MemoryOperands& memory = step.op->memory;
  Graph& graph = sketch.graph();
  Id offset = graph.word(static_cast<std::uint32_t>(memory.offset));
  if (has_lane_offsets(*step.op, *step.row)) {
    offset = graph.word_of(Do::kAdd, sketch.vector(memory.address), offset);
  }
  if (!adds_scalar(*step.op, *step.row)) return offset;
  const Id base = graph.leaf(Do::kScalar, Kind::kWord, 4u * memory.scalar_base);
  return graph.word_of(Do::kAdd, offset, base);
}

}  // namespace

Id draw_scratch_place(Sketch& sketch, const RunOp& step) {
  if (!has_lane_offsets(*step.op, *step.row)) return kNoValue;
  Graph& graph = sketch.graph();
  const auto combine = [&](Do what, Id a, std::uint32_t b) {
    return graph.word_of(what, a, graph.word(b));
  };
  const Id offset = combine(Do::kMinU, draw_offset(sketch, step), kMostOffset);
  const Id row = combine(Do::kAnd, combine(Do::kShl, offset, 6), kRowMask);
  const Id place = move_of(step).merges
                       ? row
                       : graph.word_of(Do::kOr, row, combine(Do::kAnd, offset, kWithinDword));
  const std::uint32_t crosses = crossing(step.row->memory.element_bytes);
  return graph.word_of(Do::kOr, place, combine(Do::kShl, combine(Do::kAnd, offset, crosses), 30));
}

Id draw_merged(Sketch& sketch, const RunOp& step, Id old, Id data) {
  Graph& graph = sketch.graph();
  const Id within = graph.word_of(Do::kAnd, draw_offset(sketch, step), graph.word(kWithinDword));
  const Id shift = graph.word_of(Do::kShl, within, graph.word(3));
  const Id part = graph.word((1u << 8 * step.row->memory.element_bytes) - 1);
  const Id kept = graph.word_of(Do::kXor, graph.word_of(Do::kShl, part, shift), graph.word(~0u));
  const Id put = graph.word_of(Do::kShl, graph.word_of(Do::kAnd, data, part), shift);
  return graph.word_of(Do::kOr, graph.word_of(Do::kAnd, old, kept), put);
}

/// What all strips share: from `Wave::scratch_rows` and the lanes' registers in a strip the places
/// of its lanes count, up to `Wave::scratch_rows_bytes`, which is 0 where code may do nothing.
void LaneMoves::emit_scratch_begin() {
  const auto is_scratch = [](const RunOp& step) {
    return move_of(step).space == MoveSpace::kScratch;
  };
  const auto step = std::find_if(run_.ops.begin(), run_.ops.end(), is_scratch);
  if (step == run_.ops.end()) return;
  HostCode& c = code_;
  const bool buffer = step->row->encoding.format == isa::Format::kMubuf;
  const auto size = c.dword[c.rdi + offsetof(machine::Wave, scratch_rows_bytes)];
  Label done;
  c.mov(size, 0);
  buffer ? emit_scratch_buffer(*step->op, done)
         : c.mov(c.rax, c.ptr[c.rdi + 4 * isa::operand::kFlatScratch]);
  buffer ? c.mov(c.r12d, kMostPlace)
         : c.mov(c.r12d, c.ptr[c.rdi + offsetof(machine::Wave, scratch_bytes)]);
  c.cmp(c.r12d, kMostPlace);
  c.ja(done, HostCode::T_NEAR);
  c.lea(c.rcx, c.ptr[c.rbp + static_cast<int>(kLineBytes)]);
  c.lea(c.rdx, c.ptr[c.rax + c.rbx]);
  c.sub(c.rcx, c.rdx);  // what the arena has from there on
  c.jb(done, HostCode::T_NEAR);
  c.cmp(c.rcx, c.r12);
  buffer ? c.cmovb(c.r12, c.rcx) : c.jb(done, HostCode::T_NEAR);
  c.and_(c.r12d, kRowMask);
  c.mov(size, c.r12d);
  c.sub(c.rax, c.ptr[c.rdi + offsetof(machine::Wave, vgpr)]);
  c.mov(c.ptr[c.rdi + offsetof(machine::Wave, scratch_rows)], c.rax);
  c.L(done);
}

/// rax = where lane 0 of a buffer and an offset lies; goes to `other` if the buffer is not scratch.
void LaneMoves::emit_scratch_buffer(const Op& op, Label& other) {
  HostCode& c = code_;
  const MemoryOperands& memory = op.memory;
  const auto word = [&](unsigned i) { return c.dword[c.rdi + 4 * (memory.scalar_base + i)]; };
  c.mov(c.eax, word(3));
  c.and_(c.eax, kLaneOfWave);
  c.cmp(c.eax, kLaneOfWave);
  c.jne(other, HostCode::T_NEAR);
  c.test(word(1), kSwizzleEnable);
  c.je(other, HostCode::T_NEAR);
  constexpr int kNoAddress = 16;  // the upper bits of the first two words
  c.mov(c.rax, c.ptr[c.rdi + 4 * memory.scalar_base]);
  c.shl(c.rax, kNoAddress);
  c.shr(c.rax, kNoAddress);
  if (memory.scalar_offset < isa::operand::kScalarFile)
    c.mov(c.r12d, c.ptr[c.rdi + 4 * memory.scalar_offset]);
  else
    c.mov(c.r12d, constant_offset(memory.scalar_offset));
  c.add(c.rax, c.r12);
}

/// A load or store, of lanes that add offsets of their own if it `varies`.
void LaneMoves::emit_scratch(StripCode& strip, Access& a, bool varies) {
  HostCode& c = code_;
  const Vector places = varies ? strip.temporary() : a.low;
  if (strip.failed()) return;
  Label anywhere, done;
  if (strip.masked()) emit_any_active(done);
  if (varies) {
    emit_first(strip, a.low, a.spare, c.eax);
    broadcast(a.spare, c.eax);
    emit_equal(strip, a.low, a.spare, anywhere);
  } else {
    emit_shared_place(strip, a);
  }
  emit_greatest_place(strip, a);
  c.cmp(c.eax, c.r12d);
  c.ja(strip.exit(), HostCode::T_NEAR);
  add_shared(a);
  a.move.stores ? store_side_by_side(strip, a) : load_side_by_side(strip, a);
  if (varies) {
    c.jmp(done, HostCode::T_NEAR);
    c.L(anywhere);
    emit_greatest_place(strip, a);
    leave_above(strip, a);
    c.vpaddd(places, a.low, c.ptr[c.multiples(4)]);
    a.low = places;
    a.move.stores ? store_anywhere(strip, a) : load_anywhere(strip, a);
  }
  c.L(done);
}

/// eax = the place of an offset that all lanes share.
void LaneMoves::emit_shared_place(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  const isa::Row& row = row_of(*a.op);
  const std::uint32_t crosses = crossing(row.memory.element_bytes);
  const auto fixed = static_cast<std::uint32_t>(a.memory().offset);
  if (!adds_scalar(*a.op, row)) {
    if (fixed > kMostOffset || (fixed & crosses) != 0) c.jmp(strip.exit(), HostCode::T_NEAR);
    return c.mov(c.eax, (fixed << 6 & kRowMask) | (a.move.merges ? 0 : fixed & kWithinDword));
  }
  c.mov(c.eax, fixed);
  c.add(c.eax, c.ptr[c.rdi + 4 * a.memory().scalar_base]);
  c.cmp(c.eax, kMostOffset);
  c.ja(strip.exit(), HostCode::T_NEAR);
  if (crosses != 0) {
    c.test(c.al, crosses);
    c.jne(strip.exit(), HostCode::T_NEAR);
  }
  c.mov(c.r12d, c.eax);
  c.and_(c.r12d, a.move.merges ? 0 : kWithinDword);
  c.shl(c.eax, 6);
  c.and_(c.eax, kRowMask);
  c.or_(c.eax, c.r12d);
}

}  // namespace wavetank::execute::jit
