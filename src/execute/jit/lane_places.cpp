// Where the lanes of a strip lie: side by side, or all at one place.
#include <algorithm>
#include <cstddef>

#include "execute/jit/lane_moves.hpp"

namespace wavetank::execute::jit {

/// Bytes that code touches of a strip whose lanes lie side by side.
unsigned LaneMoves::reach_of_strip(const Move& move) const {
  return (unit_.lanes - 1) * move.bytes + (move.bytes < 4 ? move.bytes : reach_of(move));
}

/// Goes to `otherwise` unless a load before found the lanes of the base to lie so.
void LaneMoves::emit_if_known(const Access& a, Pattern pattern, Label& otherwise) {
  code_.test(code_.r15d, a.base << static_cast<unsigned>(pattern));
  code_.je(otherwise, HostCode::T_NEAR);
}
/// Tells the loads to come how the lanes of their base lie.
void LaneMoves::emit_found(const Access& a, Pattern pattern) {
  if (a.base != 0) code_.or_(code_.r15d, a.base << static_cast<unsigned>(pattern));
}

/// Behind tests of the low words: the high ones must be those of the first lane, and come into rax.
void LaneMoves::emit_high(StripCode& strip, const Access& a, Label& otherwise) {
  if (!a.high) return;
  HostCode& c = code_;
  emit_first(strip, *a.high, a.spare, c.r12d);
  if (!a.base_tested) {
    broadcast(a.spare, c.r12d);
    emit_equal(strip, *a.high, a.spare, otherwise);
  }
  c.shl(c.r12, 32);
  c.or_(c.rax, c.r12);
}

/// Goes to `otherwise` unless low words rise by an element from that in eax on.
void LaneMoves::emit_rising(StripCode& strip, const Access& a, Label& otherwise) {
  HostCode& c = code_;
  if (strip.masked())
    broadcast(a.spare, c.eax);
  else
    c.vpbroadcastd(a.spare, Xbyak::Xmm(a.low.getIdx()));
  c.vpaddd(a.spare, a.spare, c.ptr[c.multiples(a.move.bytes)]);
  emit_equal(strip, a.low, a.spare, otherwise);
  // Low words that wrap would compare as equal.
  c.lea(c.r12d, c.ptr[c.rax + (unit_.lanes - 1) * a.move.bytes]);
  c.cmp(c.r12d, c.eax);
  c.jb(otherwise, HostCode::T_NEAR);
}

/// rax = where lane 0 would lie of lanes side by side, in memory; other strips go to `otherwise`.
void LaneMoves::emit_side_by_side(StripCode& strip, const Access& a, Label& otherwise) {
  HostCode& c = code_;
  if (a.base_tested) emit_if_known(a, Pattern::kSideBySide, otherwise);
  emit_first(strip, a.low, a.spare, c.eax);
  if (strip.masked()) {
    emit_first_active(strip);
    c.imul(c.r12d, c.r12d, a.move.bytes);
    c.sub(c.eax, c.r12d);
  }
  if (!a.base_tested) emit_rising(strip, a, otherwise);
  emit_high(strip, a, otherwise);
  if (!a.base_tested) emit_found(a, Pattern::kSideBySide);
  emit_inside(a, reach_of_strip(a.move), otherwise);
  if (a.move.space == MoveSpace::kGlobal && !a.move.stores) {
    // A wave that moves neighbouring memory is mostly followed by one that moves what lies behind.
    constexpr int kFourWaves = 4 * 64;
    c.prefetcht0(c.ptr[c.rax + kFourWaves * static_cast<int>(a.move.bytes)]);
  }
}

/// rax = where all active lanes lie.
void LaneMoves::emit_all_the_same(StripCode& strip, const Access& a, Label& otherwise) {
  if (a.base_tested) emit_if_known(a, Pattern::kSame, otherwise);
  emit_first(strip, a.low, a.spare, code_.eax);
  if (!a.base_tested) {
    broadcast(a.spare, code_.eax);
    emit_equal(strip, a.low, a.spare, otherwise);
  }
  emit_high(strip, a, otherwise);
  if (!a.base_tested) emit_found(a, Pattern::kSame);
  emit_inside(a, reach_of(a.move), otherwise);
}

/// rax, an address of lanes, becomes one of memory; goes to `otherwise` unless `bytes` from there
/// on are inside of the arena, or of LDS at both offsets.
void LaneMoves::emit_inside(const Access& a, unsigned bytes, Label& otherwise) {
  HostCode& c = code_;
  if (a.move.space == MoveSpace::kLds) {
    c.lea(c.r12, c.ptr[c.rax + most_offset(a) + static_cast<int>(bytes)]);
    c.cmp(c.r12, c.r14);
    c.ja(otherwise, HostCode::T_NEAR);
    return c.add(c.rax, c.r13);
  }
  add_shared(a);
  c.lea(c.r12, c.ptr[c.rax + c.rbx]);
  c.cmp(c.r12, c.rbp);
  c.ja(otherwise, HostCode::T_NEAR);
  if (bytes <= kLineBytes) return;
  c.add(c.r12, bytes - kLineBytes);
  c.cmp(c.r12, c.rbp);
  c.ja(otherwise, HostCode::T_NEAR);
}

void LaneMoves::add_shared(const Access& a) {
  HostCode& c = code_;
  if (a.move.space == MoveSpace::kScratch) {
    c.add(c.rax, c.ptr[c.rdi + offsetof(machine::Wave, scratch_rows)]);
    return c.add(c.rax, c.rdx);
  }
  if (a.memory().has_scalar_base()) c.add(c.rax, c.ptr[c.rdi + 4 * a.memory().scalar_base]);
  if (a.memory().offset != 0) c.add(c.rax, a.memory().offset);
}

void LaneMoves::emit_greatest_place(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  if (a.move.space == MoveSpace::kScratch)
    c.mov(c.r12d, c.ptr[c.rdi + offsetof(machine::Wave, scratch_rows_bytes)]);
  else
    c.mov(c.r12d, c.r14d);
  c.sub(c.r12d, reach_of_lane(a));
  c.jb(strip.exit(), HostCode::T_NEAR);
}

int LaneMoves::most_offset(const Access& a) {
  const auto begin = a.move.offsets.begin();
  return *std::max_element(begin, begin + a.move.elements);
}

/// From an access's address, the offset of one of its elements that is not in the address.
int LaneMoves::offset_of(const Access& a, unsigned element) {
  return a.move.space == MoveSpace::kGlobal ? 0 : a.move.offsets[element];
}

int LaneMoves::reach_of_lane(const Access& a) {
  const int reach = static_cast<int>(reach_of(a.move));
  switch (a.move.space) {
    case MoveSpace::kLds: return most_offset(a) + reach;
    case MoveSpace::kScratch: return most_offset(a) + static_cast<int>(machine::kRegisterBytes);
    default: return reach;
  }
}

/// A word for all lanes, from rax on.
void LaneMoves::load_same(const Access& a) {
  HostCode& c = code_;
  const unsigned words = a.move.words();
  for (unsigned i = 0; i < a.move.elements * words; ++i) {
    const auto from = c.rax + (offset_of(a, i / words) + 4 * static_cast<int>(i % words));
    if (a.move.bytes >= 4) {
      c.vpbroadcastd(a.words[i], c.ptr[from]);
      continue;
    }
    a.move.bytes == 2 ? c.movzx(c.r12d, c.word[from]) : c.movzx(c.r12d, c.byte[from]);
    broadcast(a.words[i], c.r12d);
  }
}

/// Squares of four words in each quarter of four registers: their rows become columns.
void LaneMoves::words_to_columns(const Access& a, Vector scratch) {
  HostCode& c = code_;
  const Vector* const to = a.words.data();
  c.vpunpckldq(scratch, to[0], to[1]);
  c.vpunpckhdq(to[1], to[0], to[1]);
  c.vpunpckldq(to[0], to[2], to[3]);
  c.vpunpckhdq(to[3], to[2], to[3]);
  c.vpunpcklqdq(to[2], to[1], to[3]);
  c.vpunpckhqdq(to[3], to[1], to[3]);
  c.vpunpckhqdq(to[1], scratch, to[0]);
  c.vpunpcklqdq(to[0], scratch, to[0]);
}

}  // namespace wavetank::execute::jit
