#include "execute/jit/last_run.hpp"

#include <algorithm>

#include "execute/jit/avx512_strip.hpp"
#include "execute/jit/scalar_code.hpp"
#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::AccessGuard;
using machine::Wave;

/// zmm30, and a register for each strip.
constexpr unsigned kKept = 5;
Zmm kept(unsigned strip) { return Zmm(static_cast<int>(kFirstKept + strip)); }

}  // namespace

/// Refuses waves with inactive lanes, and forgives a miss to others.
void LastRunCode::emit_guard(AccessGuard& guard) {
  HostCode& c = code_;
  c.cmp(c.qword[c.rdi + kExecOffset], -1);
  c.jne(refusal_, HostCode::T_NEAR);
  emit_served(c, guard);
  c.mov(c.ptr[c.rdi + offsetof(Wave, guard)], c.rax);
}

bool LastRunCode::emit(std::size_t op_bytes, Block& block, const Otherwise& otherwise) {
  if (!drawing_.draw(sketch_)) return false;
  plan_ = make_plan(sketch_, run_.dead_registers, run_.dead_masks, {{drawing_.stored()}},
                    kAvx512Unit.ternary);
  if (sketch_.graph().full()) return false;
  HostCode& c = code_;
  emit_guard(block.guard);
  moves_.emit_constants();
  c.mov(c.rdx, c.ptr[c.rdi + offsetof(Wave, vgpr)]);
  c.mov(c.rcx, c.rdi);
  moves_.emit_streaming_mask();
  for (unsigned strip = 0; strip < 4; ++strip) {
    if (!emit_strip(strip)) return false;
  }
  emit_kept_stores();
  emit_go_on(c, static_cast<std::int64_t>(op_bytes), true);
  emit_failure(block, otherwise);
  c.place_constants();
  return true;
}

/// The stores of all strips. A fault in one of them is the last strip's to take.
void LastRunCode::emit_kept_stores() {
  for (unsigned strip = 0; strip < 4; ++strip) {
    code_.mov(code_.rax, moves_.kept_number(strip));
    moves_.emit_store(kept(strip));
  }
  strips_.back().end = code_.position();
}

bool LastRunCode::emit_strip(unsigned index) {
  HostCode& c = code_;
  strips_.push_back({c.position(), 0, std::make_unique<Label>(), false});
  Strip& place = strips_.back();
  Avx512Strip strip(c, sketch_.graph(), plan_, false, index, 0);
  strip.set_moves(moves_, kKept, *place.exit);
  moves_.emit_indices(strip);
  if (!strip.emit()) return false;
  const Vector data = strip.value(drawing_.stored());
  place.leaves = strip.exits();
  if (strip.finish_tests(*place.exit)) place.leaves = true;
  c.mov(moves_.kept_number(index), c.rax);
  c.vmovdqa32(kept(index), data);
  place.end = c.position();
  return !strip.failed();
}

/// Where strips are left: none has changed anything.
void LastRunCode::emit_failure(Block& block, const Otherwise& otherwise) {
  HostCode& c = code_;
  for (const Strip& strip : strips_) {
    block.guard.ranges.push_back({strip.begin, strip.end, c.position()});
    if (strip.leaves) c.L(*strip.exit);
  }
  c.L(refusal_);
  c.vzeroupper();
  emit_not_served(c, block.guard, otherwise);
  emit_otherwise(c, otherwise);
}

}  // namespace wavetank::execute::jit
