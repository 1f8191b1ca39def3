#include "execute/jit/memory_run.hpp"

#include <algorithm>

#include "execute/jit/line_code.hpp"
#include "execute/jit/recipes.hpp"
#include "execute/jit/scalar_code.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::AccessGuard;
using machine::Wave;

constexpr std::size_t kExec = 4 * 126;
constexpr std::uint8_t kMissesOffset = offsetof(AccessGuard, misses);

void emit_pointer_to_rax(Assembler& code, const void* pointer) {
  code.bytes({0x48, 0xb8});
  code.qword(reinterpret_cast<std::uint64_t>(pointer));
}

MoveSpace space_of(const Run& run) {
  MoveSpace space = MoveSpace::kNone;
  for (const RunOp& step : run.ops) space = std::max(space, move_space(*step.op, *step.row));
  return space;
}

}  // namespace

/// Refuses waves with inactive lanes, and forgives a miss to others.
void MemoryRunCode::emit_guard(AccessGuard* guard) {
  code_.bytes({0x48, 0x83, 0xbf});  // cmp qword [rdi + exec], -1
  code_.dword(kExec);
  code_.bytes({0xff});
  refusal_ = code_.jump_ahead(kNotEqual);
  emit_pointer_to_rax(code_, guard);
  code_.bytes({0x83, 0x78, kMissesOffset, 0});  // cmp dword [rax + misses], 0
  const std::size_t never_missed = code_.jump_ahead(kIfEqual);
  code_.bytes({0xff, 0x48, kMissesOffset});  // dec dword [rax + misses]
  code_.bind(never_missed);
  code_.bytes({0x48, 0x89, 0x87});  // mov [rdi + guard], rax
  code_.dword(static_cast<std::uint32_t>(offsetof(Wave, guard)));
}

bool MemoryRunCode::emit(std::size_t op_bytes, Block& block, const Otherwise& otherwise,
                         const Op* (*finish)(Wave&, const Op*, unsigned, const Block*)) {
  static constexpr std::uint8_t kVzeroupper[] = {0xc5, 0xf8, 0x77};
  emit_guard(&block.guard);
  emit_move_constants(code_, space_of(run_));
  code_.bytes({0x48, 0x8b, 0x97});  // mov rdx, [rdi + vgpr]
  code_.dword(static_cast<std::uint32_t>(offsetof(Wave, vgpr)));
  code_.bytes({0x48, 0x89, 0xf9});  // mov rcx, rdi
  if (!emit_strips()) return false;
  emit_return(code_, static_cast<std::int64_t>(op_bytes), kVzeroupper);
  emit_failure(block, otherwise, finish);
  code_.place_constants();
  return true;
}

/// The four strips: one after the other where that is short, or r8 is taken, otherwise in a loop.
bool MemoryRunCode::emit_strips() {
  constexpr std::size_t kShort = 12;
  const Uses uses(run_.ops);
  const RunOp& last = run_.ops.back();
  const bool may_stream =
      move_space(*last.op, *last.row) == MoveSpace::kGlobal && last.op->memory.ends_wave;
  if (may_stream) emit_streaming_mask(code_);
  if (stores_last_) {
    for (unsigned strip = 0; strip < 4; ++strip) {
      if (!emit_strip(uses, strip)) return false;
    }
    emit_kept_stores();
    return true;
  }
  if (run_.ops.size() <= kShort || may_stream) {
    for (unsigned strip = 0; strip < 4; ++strip) {
      if (!emit_strip(uses, strip)) return false;
    }
    return true;
  }
  code_.bytes({0x4c, 0x8d, 0x82});  // lea r8, [rdx + 256]
  code_.dword(256);
  const std::size_t top = code_.position();
  if (!emit_strip(uses, 0)) return false;
  code_.bytes({0x48, 0x83, 0xc2, 64});  // add rdx, 64
  code_.bytes({0x48, 0x83, 0xc1, 2});   // add rcx, 2
  code_.bytes({0x4c, 0x39, 0xc2});      // cmp rdx, r8
  code_.jump_back(kNotEqual, top);
  return true;
}

/// The stores of all strips. A fault in one of them is the last strip's to take.
void MemoryRunCode::emit_kept_stores() {
  const RunOp& last = run_.ops.back();
  for (unsigned strip = 0; strip < 4; ++strip) {
    code_.bytes({0x48, 0x8b, 0x44, 0x24, StripCode::kept_on_stack(strip)});  // mov rax, [rsp - ..]
    emit_store(code_, *last.op, *last.row, StripCode::kept(strip));
  }
  strips_.back().end = code_.position();
}

bool MemoryRunCode::emit_strip(const Uses& uses, unsigned index) {
  Strip place{code_.position(), 0, index, {}};
  StripCode strip(code_, run_, uses, false, index);
  strip.keep_steps();
  if (stores_last_) strip.keep_strips();
  emit_indices(strip);
  const Op* store = nullptr;
  Zmm data;
  for (std::size_t i = 0; i < run_.ops.size(); ++i) {
    strip.begin(static_cast<unsigned>(i));
    const isa::Row& row = *run_.ops[i].row;
    if (move_space(strip.op(), row) == MoveSpace::kNone) {
      const Recipe& recipe = *recipe_of(row);
      recipe.emit(strip, recipe);
    } else if (row.memory.action == isa::MemoryAction::kStore) {
      store = &strip.op();
      data = emit_store_place(strip);
    } else {
      emit_load(strip);
    }
    if (!strip.end()) return false;
  }
  if (strip.finish_tests()) {
    code_.test_mask(StripCode::kWell);
    place.exits.push_back(code_.jump_ahead(kNotCarry));
  }
  if (stores_last_) {
    code_.bytes({0x48, 0x89, 0x44, 0x24, StripCode::kept_on_stack(index)});  // mov [rsp - ..], rax
    code_.vector(kVmovdqa32, StripCode::kept(index), Zmm{}, data);
  } else {
    if (store != nullptr) emit_store(code_, *store, *run_.ops.back().row, data);
    strip.store_results();
  }
  place.exits.insert(place.exits.end(), strip.exits().begin(), strip.exits().end());
  place.end = code_.position();
  strips_.push_back(std::move(place));
  return true;
}

/// rax = where waves go that are not served.
void MemoryRunCode::emit_otherwise(const Otherwise& otherwise) {
  if (otherwise.handler != nullptr) {
    return emit_pointer_to_rax(code_, reinterpret_cast<const void*>(otherwise.handler));
  }
  code_.bytes({0x48, 0x8d, 0x05});  // lea rax, [rip + distance]
  code_.dword(static_cast<std::uint32_t>(otherwise.position - (code_.position() + 4)));
}

/// Counts a miss; after too many the op's handler is what it was without this code.
void MemoryRunCode::emit_miss(const AccessGuard* guard, const Otherwise& otherwise) {
  static_assert(offsetof(Op, run) == 0);
  emit_pointer_to_rax(code_, guard);
  code_.bytes({0x83, 0x40, kMissesOffset, AccessGuard::kMissCost});  // add dword [rax + misses]
  code_.bytes({0x81, 0x78, kMissesOffset});  // cmp dword [rax + misses], kMostMisses
  code_.dword(AccessGuard::kMostMisses);
  const std::size_t few = code_.jump_ahead(kIfNotAbove);
  emit_otherwise(otherwise);
  code_.bytes({0x48, 0x89, 0x06});  // mov [rsi], rax
  code_.bind(few);
}

/// Where strips are left: the first one has changed nothing, and the wave goes on without this
/// code; later ones and those behind them are finished by the handlers. A run that stores last has
/// changed nothing in any.
void MemoryRunCode::emit_failure(Block& block, const Otherwise& otherwise,
                                 const Op* (*finish)(Wave&, const Op*, unsigned, const Block*)) {
  std::vector<std::size_t> joins;
  for (const Strip& strip : strips_) {
    block.guard.ranges[strip.index] = {strip.begin, strip.end, code_.position()};
    for (const std::size_t exit : strip.exits) code_.bind(exit);
    if (stores_last_) continue;
    code_.bytes({0x48, 0x83, 0xc1, static_cast<std::uint8_t>(2 * strip.index)});  // add rcx
    joins.push_back(code_.jump_ahead());
  }
  code_.bind(refusal_);
  code_.bytes({0x48, 0x89, 0xf9});  // mov rcx, rdi
  for (const std::size_t join : joins) code_.bind(join);
  code_.bytes({0xc5, 0xf8, 0x77});  // vzeroupper
  emit_miss(&block.guard, otherwise);
  if (stores_last_) {
    emit_otherwise(otherwise);
    return code_.bytes({0xff, 0xe0});  // jmp rax
  }
  code_.bytes({0x89, 0xca});  // mov edx, ecx
  code_.bytes({0x29, 0xfa});  // sub edx, edi
  const std::size_t nothing_done = code_.jump_ahead(kIfEqual);
  code_.bytes({0xc1, 0xe2, 3});  // shl edx, 3: two bytes of a mask are 16 lanes
  code_.bytes({0x48, 0xb9});     // mov rcx, block
  code_.qword(reinterpret_cast<std::uint64_t>(&block));
  emit_pointer_to_rax(code_, reinterpret_cast<const void*>(finish));
  code_.bytes({0xff, 0xe0});  // jmp rax
  code_.bind(nothing_done);
  emit_otherwise(otherwise);
  code_.bytes({0xff, 0xe0});
}

}  // namespace wavetank::execute::jit
