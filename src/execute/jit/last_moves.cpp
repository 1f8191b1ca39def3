#include "execute/jit/last_moves.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace wavetank::execute::jit {
namespace {

using machine::Environment;
using machine::Wave;

constexpr int kStripBytes = 64;
/// The most indices that lines of one run may have, and the first number that is theirs: those
/// before it are of the strips' stores.
constexpr std::size_t kMostIndices = 4;
constexpr unsigned kFirstIndex = 4, kLastLane = 15;

alignas(64) constexpr std::array<std::uint32_t, 16> kStepWords = [] {
  std::array<std::uint32_t, 16> steps{};
  for (std::uint32_t i = 0; i < 16; ++i) steps[i] = 4 * i;
  return steps;
}();

}  // namespace

// ---- drawing

bool MoveSketch::draw(Sketch& sketch) {
  sketch.clear();
  sketch.graph().set_all_active();
  lines_.assign(run_.ops.size(), std::nullopt);
  for (unsigned i = 0; i < run_.ops.size(); ++i) {
    const RunOp& step = run_.ops[i];
    if (move_of(step).space != MoveSpace::kNone) {
      draw_move(sketch, i);
    } else if (!sketch.draw(*step.op, *step.row, i)) {
      return false;
    }
  }
  return !sketch.graph().full();
}

/// A place, of a line or of the lanes' addresses, and what is moved.
void MoveSketch::draw_move(Sketch& sketch, unsigned number) {
  const RunOp& step = run_.ops[number];
  const MemoryOperands& memory = step.op->memory;
  Graph& graph = sketch.graph();
  graph.set_op(static_cast<std::uint16_t>(number));
  const bool stores = move_of(step).stores;
  if (stores) stored_ = sketch.vector(memory.data);
  lines_[number] = find_line(sketch, *step.op);
  if (lines_[number]) {
    graph.effect(Do::kPlace, kNoValue, kNoValue, number);
  } else {
    const bool pair = !memory.has_scalar_base();
    graph.effect(Do::kPlace, sketch.vector(memory.address),
                 pair ? sketch.vector(memory.address + 1u) : kNoValue, number);
  }
  if (stores) return;
  sketch.set_vector(memory.result, graph.fresh(Do::kLoad, Kind::kWord, 0, number));
  sketch.finish_op();
}

std::optional<Line> MoveSketch::find_line(Sketch& sketch, const Op& op) {
  const MemoryOperands& memory = op.memory;
  const Id low = sketch.vector(memory.address);
  auto line = !memory.has_scalar_base()
                  ? line_of(sketch.graph(), low, sketch.vector(memory.address + 1u))
                  : line_from(sketch.graph(), memory.scalar_base, low);
  if (!line || index_of(*line) < indices_.size()) return line;
  if (indices_.size() >= kMostIndices) return std::nullopt;
  indices_.push_back(*line);
  return line;
}

std::size_t MoveSketch::index_of(const Line& line) const {
  const auto found = std::find_if(indices_.begin(), indices_.end(),
                                  [&](const Line& other) { return other.same_index(line); });
  return static_cast<std::size_t>(found - indices_.begin());
}

// ---- what strips share

Xbyak::Address MoveCode::kept_number(unsigned number) {
  return code_.ptr[code_.rsp - 8 * static_cast<int>(number + 1)];
}

void MoveCode::emit_streaming_mask() {
  HostCode& c = code_;
  c.mov(c.rax, c.ptr[c.rdi + offsetof(Wave, environment)]);
  c.movzx(c.r8d, c.byte[c.rax + offsetof(Environment, writes_past_cache)]);
  c.dec(c.r8);                   // 0 where it may, otherwise all ones
  c.or_(c.r8, kStripBytes - 1);  // a line must be whole
}

void MoveCode::emit_constants() {
  HostCode& c = code_;
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(kStepWords.data()));
  c.vmovdqa32(Zmm(static_cast<int>(kSteps)), c.ptr[c.rax]);
  c.mov(c.rax, c.ptr[c.rdi + offsetof(Wave, environment)]);
  c.mov(c.r9, c.ptr[c.rax + offsetof(Environment, arena_begin)]);
  c.neg(c.r9);
  c.mov(c.r10, c.ptr[c.rax + offsetof(Environment, arena_size_bytes)]);
  c.sub(c.r10, kStripBytes);
}

// ---- places by lanes

/// rax = the first lane's address without what is uniform; leaves the strip unless the others
/// follow it side by side.
void MoveCode::emit_lanes(StripCode& strip, const Node& place) {
  HostCode& c = code_;
  const Vector expected = strip.temporary();
  const Vector low = strip.value(place.in[0]);
  c.vpbroadcastd(expected, Xbyak::Xmm(low.getIdx()));
  c.vpaddd(expected, expected, Zmm(static_cast<int>(kSteps)));
  strip.require_equal(low, expected);
  if (place.in[1] == kNoValue) {
    c.vmovd(c.eax, Xbyak::Xmm(low.getIdx()));
  } else {
    const Vector high = strip.value(place.in[1]);
    c.vpbroadcastd(expected, Xbyak::Xmm(high.getIdx()));
    strip.require_equal(high, expected);
    c.vpunpckldq(expected, low, high);
    c.vmovq(c.rax, Xbyak::Xmm(expected.getIdx()));
  }
  // Low words that wrap would compare as equal.
  c.lea(c.r11d, c.ptr[c.rax + kStripBytes - 4]);
  c.cmp(c.r11d, c.eax);
  c.jb(strip.exit(), HostCode::T_NEAR);
}

void MoveCode::emit_place(StripCode& strip, const Node& place) {
  HostCode& c = code_;
  const RunOp& step = run_.ops[place.bits];
  const MemoryOperands& memory = step.op->memory;
  if (const auto& line = sketch_.line(place.bits)) {
    emit_line(*line);
  } else {
    emit_lanes(strip, place);
    if (memory.has_scalar_base()) emit_add_pair(memory.scalar_base);
  }
  if (memory.offset != 0) c.add(c.rax, memory.offset);
  c.lea(c.r11, c.ptr[c.rax + c.r9]);
  c.cmp(c.r11, c.r10);
  c.ja(strip.exit(), HostCode::T_NEAR);
  // A wave that moves neighbouring memory is mostly followed by one that moves what lies behind it.
  constexpr int kFourWaves = 4 * 256;
  if (!move_of(step).stores) c.prefetcht0(c.ptr[c.rax + kFourWaves]);
}

void MoveCode::emit_load(StripCode& strip, Id id, const Node& place) {
  emit_place(strip, place);
  if (move_of(run_.ops[place.bits]).stores) return;
  code_.vmovdqu32(strip.loaded(static_cast<Id>(id + 1)), code_.ptr[code_.rax]);
}

void MoveCode::emit_store(Vector data) {
  HostCode& c = code_;
  Label cached, done;
  c.test(c.r8, c.rax);
  c.jne(cached);
  c.vmovntdq(c.ptr[c.rax], data);
  c.jmp(done);
  c.L(cached);
  c.vmovdqu32(c.ptr[c.rax], data);
  c.L(done);
}

// ---- places by lines

/// Leaves the strip unless the index register rises by the line's step, and a pair's upper half is
/// the same in all lanes.
void MoveCode::emit_lane_tests(StripCode& strip, const Line& line) {
  HostCode& c = code_;
  const auto lanes = [&](unsigned reg) { return c.ptr[c.rdx + strip.vector_offset(reg)]; };
  const Zmm expected(0), other(1);
  c.vpbroadcastd(expected, lanes(line.ramp.index));
  if (const unsigned shift = line.ramp.shift + line.shift; shift != 0) {
    c.vpsrld(other, Zmm(static_cast<int>(kSteps)), static_cast<std::uint8_t>(shift));
    c.vpaddd(expected, expected, other);
  } else {
    c.vpaddd(expected, expected, Zmm(static_cast<int>(kSteps)));
  }
  strip.require_equal(expected, lanes(line.ramp.index));
  if (line.extension == Extension::kPair) {
    c.vpbroadcastd(other, lanes(line.ramp.index + 1));
    strip.require_equal(other, lanes(line.ramp.index + 1));
  }
}

/// rax = the first lane's ramp before its shift; leaves the strip if the last lane's wraps.
void MoveCode::emit_ramp(StripCode& strip, const Line& line) {
  HostCode& c = code_;
  c.mov(c.eax, c.ptr[c.rdx + strip.vector_offset(line.ramp.index)]);
  for (const unsigned sgpr : line.ramp.addends) c.add(c.eax, c.ptr[c.rdi + 4 * sgpr]);
  const bool with_sign = line.extension == Extension::kSign;
  const std::uint32_t largest = (with_sign ? 0x7fffffffu : ~0u) >> line.ramp.shift;
  c.cmp(c.eax, largest - kLastLane * line.step());
  with_sign ? c.jg(strip.exit(), HostCode::T_NEAR) : c.ja(strip.exit(), HostCode::T_NEAR);
}

/// rax = the line's value in the first lane without its bases.
void MoveCode::emit_index(StripCode& strip, const Line& line) {
  HostCode& c = code_;
  emit_ramp(strip, line);
  switch (line.extension) {
    case Extension::kZeros: break;
    case Extension::kSign: c.movsxd(c.rax, c.eax); break;
    case Extension::kPair:
      c.mov(c.r11d, c.ptr[c.rdx + strip.vector_offset(line.ramp.index + 1)]);
      c.shl(c.r11, 32);
      c.or_(c.rax, c.r11);
      break;
  }
  const unsigned shift = line.ramp.shift + line.shift;
  if (shift != 0) c.shl(c.rax, shift);
}

void MoveCode::emit_indices(StripCode& strip) {
  unsigned number = kFirstIndex;
  for (const Line& line : sketch_.indices()) {
    emit_lane_tests(strip, line);
    emit_index(strip, line);
    code_.mov(kept_number(number++), code_.rax);
  }
}

/// rax = the first lane's value of a line.
void MoveCode::emit_line(const Line& line) {
  const auto number = static_cast<unsigned>(sketch_.index_of(line));
  code_.mov(code_.rax, kept_number(kFirstIndex + number));
  for (const unsigned sgpr : line.bases) emit_add_pair(sgpr);
}

/// rax += the SGPR pair.
void MoveCode::emit_add_pair(unsigned sgpr) {
  code_.add(code_.rax, code_.ptr[code_.rdi + 4 * sgpr]);
}

}  // namespace wavetank::execute::jit
