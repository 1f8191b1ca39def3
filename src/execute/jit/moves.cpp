#include "execute/jit/moves.hpp"

#include <array>
#include <cstddef>

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

/// rax = the first lane's address without what is uniform; leaves the strip unless the others
/// follow it side by side.
void emit_lanes(StripCode& strip) {
  Assembler& code = strip.code;
  const MemoryOperands& memory = strip.op().memory;
  const Zmm low = strip.register_value(memory.address), expected = strip.temporary();
  code.vector(kVpbroadcastd, expected, Zmm{}, low);
  code.vector(kVpaddd, expected, expected, StripCode::steps());
  strip.require_equal(low, expected);
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

/// rax = the strip's place, which lies in the arena.
void emit_place(StripCode& strip) {
  Assembler& code = strip.code;
  const MemoryOperands& memory = strip.op().memory;
  emit_lanes(strip);
  if (memory.scalar_base != kNoScalarBase) {
    code.bytes({0x48, 0x03, 0x87});  // add rax, [rdi + base]
    code.dword(4u * memory.scalar_base);
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

void emit_move_constants(Assembler& code) {
  code.bytes({0x48, 0xb8});  // mov rax, kSteps
  code.qword(reinterpret_cast<std::uint64_t>(kSteps.data()));
  code.vector(kVmovdqa32, StripCode::steps(), Zmm{}, kPlace);
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
  emit_place(strip);
  strip.code.vector(kVmovdqu32, strip.register_result(strip.op().memory.result), Zmm{}, kPlace);
  // A wave that moves neighbouring memory is mostly followed by one that moves what lies behind it.
  constexpr std::uint32_t kFourWaves = 4 * 256;
  strip.code.bytes({0x0f, 0x18, 0x88});  // prefetcht0 [rax + 1024]
  strip.code.dword(kFourWaves);
}

Zmm emit_store_place(StripCode& strip) {
  const Zmm data = strip.register_value(strip.op().memory.data);
  emit_place(strip);
  return data;
}

void emit_store(Assembler& code, const Op& op, Zmm data) {
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
