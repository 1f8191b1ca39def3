#include "execute/jit/memory_run.hpp"

#include <algorithm>

#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::AccessGuard;
using machine::Wave;

constexpr int kExecOffset = 4 * isa::operand::kExec;
constexpr int kMissesOffset = offsetof(AccessGuard, misses);

MoveSpace space_of(const Run& run) {
  MoveSpace space = MoveSpace::kNone;
  for (const RunOp& step : run.ops) space = std::max(space, move_space(*step.op, *step.row));
  return space;
}
Zmm kept(unsigned strip) { return Zmm(static_cast<int>(kFirstKept + strip)); }

}  // namespace

/// Refuses waves with inactive lanes, and forgives a miss to others.
void MemoryRunCode::emit_guard(AccessGuard* guard) {
  HostCode& c = code_;
  c.cmp(c.qword[c.rdi + kExecOffset], -1);
  c.jne(refusal_, HostCode::T_NEAR);
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(guard));
  Label never_missed;
  c.cmp(c.dword[c.rax + kMissesOffset], 0);
  c.je(never_missed);
  c.dec(c.dword[c.rax + kMissesOffset]);
  c.L(never_missed);
  c.mov(c.ptr[c.rdi + offsetof(Wave, guard)], c.rax);
}

bool MemoryRunCode::emit(std::size_t op_bytes, Block& block, const Otherwise& otherwise,
                         const Op* (*finish)(Wave&, const Op*, unsigned, const Block*)) {
  if (!drawing_.draw(sketch_)) return false;
  plan_ = make_plan(sketch_, run_.dead_registers, run_.dead_masks, drawing_.stored());
  HostCode& c = code_;
  emit_guard(&block.guard);
  moves_.emit_constants(space_of(run_));
  c.mov(c.rdx, c.ptr[c.rdi + offsetof(Wave, vgpr)]);
  c.mov(c.rcx, c.rdi);
  if (sketch_.graph().full() || !emit_strips()) return false;
  c.vzeroupper();
  c.lea(c.rax, c.ptr[c.rsi + static_cast<int>(op_bytes)]);
  c.ret();
  emit_failure(block, otherwise, finish);
  c.place_constants();
  return true;
}

/// The four strips: one after the other where that is short, or r8 is taken, otherwise in a loop.
bool MemoryRunCode::emit_strips() {
  constexpr std::size_t kShort = 12;
  const RunOp& last = run_.ops.back();
  const bool may_stream =
      move_space(*last.op, *last.row) == MoveSpace::kGlobal && last.op->memory.ends_wave;
  if (may_stream) moves_.emit_streaming_mask();
  if (stores_last_ || may_stream || run_.ops.size() <= kShort) {
    for (unsigned strip = 0; strip < 4; ++strip) {
      if (!emit_strip(strip)) return false;
    }
    if (stores_last_) emit_kept_stores();
    return true;
  }
  HostCode& c = code_;
  c.lea(c.r8, c.ptr[c.rdx + 256]);
  Label top;
  c.L(top);
  if (!emit_strip(0)) return false;
  c.add(c.rdx, 64);
  c.add(c.rcx, 2);
  c.cmp(c.rdx, c.r8);
  c.jne(top, HostCode::T_NEAR);
  return true;
}

/// The stores of all strips. A fault in one of them is the last strip's to take.
void MemoryRunCode::emit_kept_stores() {
  for (unsigned strip = 0; strip < 4; ++strip) {
    code_.mov(code_.rax, moves_.kept_number(strip));
    moves_.emit_store(kept(strip));
  }
  strips_.back().end = code_.position();
}

bool MemoryRunCode::emit_strip(unsigned index) {
  HostCode& c = code_;
  strips_.push_back({c.position(), 0, index, std::make_unique<Label>(), false});
  Strip& place = strips_.back();
  StripCode strip(c, sketch_.graph(), plan_, index, stores_last_ ? 5 : 1, moves_, *place.exit);
  moves_.emit_indices(strip);
  if (!strip.emit()) return false;
  const Id stored = drawing_.stored();
  const Zmm data = stored == kNoValue ? Zmm(0) : strip.value(stored);
  place.leaves = strip.exits();
  if (strip.finish_tests()) {
    c.kortestw(strip.well(), strip.well());
    c.jnc(*place.exit, HostCode::T_NEAR);
    place.leaves = true;
  }
  if (stores_last_) {
    c.mov(moves_.kept_number(index), c.rax);
    c.vmovdqa32(kept(index), data);
  } else {
    if (stored != kNoValue) moves_.emit_store(data);
    strip.store_results();
  }
  place.end = c.position();
  return !strip.failed();
}

/// rax = where waves go that are not served.
void MemoryRunCode::emit_otherwise(const Otherwise& otherwise) {
  const auto* const place = otherwise.handler != nullptr
                                ? reinterpret_cast<const std::uint8_t*>(otherwise.handler)
                                : otherwise.code;
  code_.mov(code_.rax, reinterpret_cast<std::uint64_t>(place));
}

/// Counts a miss; after too many the op's handler is what it was without this code.
void MemoryRunCode::emit_miss(const AccessGuard* guard, const Otherwise& otherwise) {
  static_assert(offsetof(Op, run) == 0);
  HostCode& c = code_;
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(guard));
  c.add(c.dword[c.rax + kMissesOffset], AccessGuard::kMissCost);
  c.cmp(c.dword[c.rax + kMissesOffset], AccessGuard::kMostMisses);
  Label few;
  c.jbe(few);
  emit_otherwise(otherwise);
  c.mov(c.ptr[c.rsi], c.rax);
  c.L(few);
}

/// Where strips are left: the first one has changed nothing, and the wave goes on without this
/// code; later ones and those behind them are finished by the handlers. A run that stores last has
/// changed nothing in any.
void MemoryRunCode::emit_failure(Block& block, const Otherwise& otherwise,
                                 const Op* (*finish)(Wave&, const Op*, unsigned, const Block*)) {
  HostCode& c = code_;
  Label join, nothing_done;
  for (const Strip& strip : strips_) {
    block.guard.ranges[strip.index] = {strip.begin, strip.end, c.position()};
    if (strip.leaves) c.L(*strip.exit);
    if (stores_last_) continue;
    if (strip.index != 0) c.add(c.rcx, 2 * strip.index);
    c.jmp(join, HostCode::T_NEAR);
  }
  c.L(refusal_);
  c.mov(c.rcx, c.rdi);
  c.L(join);
  c.vzeroupper();
  emit_miss(&block.guard, otherwise);
  if (stores_last_) {
    emit_otherwise(otherwise);
    return c.jmp(c.rax);
  }
  c.mov(c.edx, c.ecx);
  c.sub(c.edx, c.edi);
  c.je(nothing_done);
  c.shl(c.edx, 3);  // two bytes of a mask are 16 lanes
  c.mov(c.rcx, reinterpret_cast<std::uint64_t>(&block));
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(finish));
  c.jmp(c.rax);
  c.L(nothing_done);
  emit_otherwise(otherwise);
  c.jmp(c.rax);
}

}  // namespace wavetank::execute::jit
