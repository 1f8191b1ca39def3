#include "execute/jit/moves.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "execute/jit/line_code.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::Environment;
using machine::Wave;

constexpr std::uint32_t kStripBytes = 64;
constexpr std::uint8_t kNoScalarBase = 0x7f;
const Operand kPlace = Operand::memory(Base::kAddress, 0);

alignas(64) constexpr std::array<std::uint32_t, 16> kSteps = [] {
  std::array<std::uint32_t, 16> steps{};
  for (std::uint32_t i = 0; i < 16; ++i) steps[i] = 4 * i;
  return steps;
}();

void field(Assembler& code, std::size_t offset) { code.dword(static_cast<std::uint32_t>(offset)); }

/// Leaves the strip unless its dwords of `low`, which it gives, rise by 4; spoils `expected`.
Zmm emit_rising_lanes(StripCode& strip, Zmm expected) {
  const Zmm low = strip.register_value(strip.op().memory.address);
  strip.code.vector(kVpbroadcastd, expected, Zmm{}, low);
  strip.code.vector(kVpaddd, expected, expected, StripCode::steps());
  strip.require_equal(low, expected);
  return low;
}

/// rax = the first lane's address without what is uniform; leaves the strip unless the others
/// follow it side by side.
void emit_lanes(StripCode& strip) {
  Assembler& code = strip.code;
  const MemoryOperands& memory = strip.op().memory;
  const Zmm expected = strip.temporary(), low = emit_rising_lanes(strip, expected);
  if (memory.scalar_base != kNoScalarBase) {
    code.first_lane(low, false);
  } else {
    const Zmm high = strip.register_value(memory.address + 1u);
    code.vector(kVpbroadcastd, expected, Zmm{}, high);
    strip.require_equal(high, expected);
    code.vector(kVpunpckldq, expected, low, high);
    code.first_lane(expected, true);
  }
  // Low words that wrap would compare as equal.
  code.bytes({0x44, 0x8d, 0x58, kStripBytes - 4});  // lea r11d, [rax + 60]
  code.bytes({0x41, 0x39, 0xc3});                   // cmp r11d, eax
  strip.leave_if(kIfCarry);
}

/// Offsets of an LDS access: two for a pair, which counts elements or 64 elements.
std::array<std::int32_t, 2> lds_offsets(const Op& op, const isa::Row& row) {
  const std::int32_t offset = op.memory.offset;
  if (row.memory.element_count == 1) return {offset, offset};
  const std::int32_t unit = row.memory.stride64 ? 256 : 4;
  return {unit * (offset & 0xff), unit * (offset >> 8 & 0xff)};
}

/// rax = the first lane's place in LDS without the offset; the strip lies inside.
void emit_lds_place(StripCode& strip) {
  Assembler& code = strip.code;
  code.first_lane(emit_rising_lanes(strip, strip.temporary()), false);
  const auto offsets = lds_offsets(strip.op(), strip.row());
  code.bytes({0x4c, 0x8d, 0x98});  // lea r11, [rax + farthest end]: low words that wrap are too far
  code.dword(static_cast<std::uint32_t>(std::max(offsets[0], offsets[1])) + kStripBytes);
  code.bytes({0x4d, 0x39, 0xd3});  // cmp r11, r10
  strip.leave_if(kIfAbove);
  code.bytes({0x4c, 0x01, 0xc8});  // add rax, r9
}

/// rax = the strip's place, which lies in the arena.
void emit_place(StripCode& strip) {
  Assembler& code = strip.code;
  const MemoryOperands& memory = strip.op().memory;
  if (strip.line()) {
    emit_line(strip, *strip.line());
  } else {
    emit_lanes(strip);
    if (memory.scalar_base != kNoScalarBase) emit_add_pair(code, memory.scalar_base);
  }
  if (memory.offset != 0) {
    code.bytes({0x48, 0x05});  // add rax, offset
    code.dword(static_cast<std::uint32_t>(memory.offset));
  }
  code.bytes({0x4e, 0x8d, 0x1c, 0x08});  // lea r11, [rax + r9]
  code.bytes({0x4d, 0x39, 0xd3});        // cmp r11, r10
  strip.leave_if(kIfAbove);
}

}  // namespace

void emit_streaming_mask(Assembler& code) {
  code.bytes({0x48, 0x8b, 0x87});  // mov rax, [rdi + environment]
  field(code, offsetof(Wave, environment));
  code.bytes({0x44, 0x0f, 0xb6, 0x80});  // movzx r8d, byte [rax + writes_past_cache]
  field(code, offsetof(Environment, writes_past_cache));
  code.bytes({0x49, 0xff, 0xc8});                   // dec r8: 0 where it may, otherwise all ones
  code.bytes({0x49, 0x83, 0xc8, kStripBytes - 1});  // or r8, 63: a line must be whole
}

void emit_move_constants(Assembler& code, MoveSpace space) {
  code.bytes({0x48, 0xb8});  // mov rax, kSteps
  code.qword(reinterpret_cast<std::uint64_t>(kSteps.data()));
  code.vector(kVmovdqa32, StripCode::steps(), Zmm{}, kPlace);
  if (space == MoveSpace::kLds) {
    code.bytes({0x48, 0x8b, 0x87});  // mov rax, [rdi + workgroup]
    field(code, offsetof(Wave, workgroup));
    code.bytes({0x4c, 0x8b, 0x88});  // mov r9, [rax + lds]
    field(code, offsetof(machine::Workgroup, lds));
    code.bytes({0x44, 0x8b, 0x90});  // mov r10d, [rax + lds_bytes]
    return field(code, offsetof(machine::Workgroup, lds_bytes));
  }
  code.bytes({0x48, 0x8b, 0x87});  // mov rax, [rdi + environment]
  field(code, offsetof(Wave, environment));
  code.bytes({0x4c, 0x8b, 0x88});  // mov r9, [rax + arena_begin]
  field(code, offsetof(Environment, arena_begin));
  code.bytes({0x49, 0xf7, 0xd9});  // neg r9
  code.bytes({0x4c, 0x8b, 0x90});  // mov r10, [rax + arena_size_bytes]
  field(code, offsetof(Environment, arena_size_bytes));
  code.bytes({0x49, 0x83, 0xea, kStripBytes});  // sub r10, 64
}

void emit_load(StripCode& strip) {
  const unsigned result = strip.op().memory.result;
  if (move_space(strip.op(), strip.row()) == MoveSpace::kLds) {
    emit_lds_place(strip);
    const auto offsets = lds_offsets(strip.op(), strip.row());
    for (unsigned i = 0; i < strip.row().memory.element_count; ++i) {
      strip.code.vector(kVmovdqu32, strip.register_result(result + i), Zmm{},
                        Operand::memory(Base::kAddress, offsets[i]));
    }
    return;
  }
  emit_place(strip);
  strip.code.vector(kVmovdqu32, strip.register_result(result), Zmm{}, kPlace);
  // A wave that moves neighbouring memory is mostly followed by one that moves what lies behind it.
  constexpr std::uint32_t kFourWaves = 4 * 256;
  strip.code.bytes({0x0f, 0x18, 0x88});  // prefetcht0 [rax + 1024]
  strip.code.dword(kFourWaves);
}

Zmm emit_store_place(StripCode& strip) {
  const Zmm data = strip.register_value(strip.op().memory.data);
  if (move_space(strip.op(), strip.row()) == MoveSpace::kLds) {
    emit_lds_place(strip);
  } else {
    emit_place(strip);
  }
  return data;
}

void emit_store(Assembler& code, const Op& op, const isa::Row& row, Zmm data) {
  if (move_space(op, row) == MoveSpace::kLds) {
    const Operand place = Operand::memory(Base::kAddress, op.memory.offset);
    return code.vector(kVmovdqu32Store, data, Zmm{}, place);
  }
  if (!op.memory.ends_wave) return code.vector(kVmovdqu32Store, data, Zmm{}, kPlace);
  code.bytes({0x49, 0x85, 0xc0});  // test r8, rax
  const std::size_t cached = code.jump_ahead(kNotEqual);
  code.vector(kVmovntdq, data, Zmm{}, kPlace);
  const std::size_t done = code.jump_ahead();
  code.bind(cached);
  code.vector(kVmovdqu32Store, data, Zmm{}, kPlace);
  code.bind(done);
}

}  // namespace wavetank::execute::jit
