#include "execute/jit/line_code.hpp"

#include <algorithm>

namespace wavetank::execute::jit {
namespace {

/// Numbers on the stack from this one on: those before it are of the strips' stores.
constexpr unsigned kFirstKept = 4;
constexpr unsigned kLastLane = 15;

/// Leaves the strip unless the index register rises by the line's step, and a pair's upper half is
/// the same in all lanes.
void emit_lane_tests(StripCode& strip, const Line& line) {
  Assembler& code = strip.code;
  const auto lanes = [&](unsigned reg) {
    return Operand::memory(Base::kVector, strip.vector_offset(reg));
  };
  const auto first = [&](unsigned reg) {
    const Zmm value = strip.temporary();
    code.vector(kVpbroadcastd, value, Zmm{},
                Operand::broadcast(Base::kVector, strip.vector_offset(reg)));
    return value;
  };
  const Zmm expected = first(line.ramp.index);
  Zmm steps = StripCode::steps();
  if (const unsigned shift = line.ramp.shift + line.shift; shift != 0) {
    const Zmm smaller = strip.temporary();
    code.vector(kVpsrld, smaller, Zmm{}, steps, static_cast<std::uint8_t>(shift));
    steps = smaller;
  }
  code.vector(kVpaddd, expected, expected, steps);
  strip.require_equal(expected, lanes(line.ramp.index));
  if (line.extension == Extension::kPair) {
    strip.require_equal(first(line.ramp.index + 1), lanes(line.ramp.index + 1));
  }
}

/// rax = the first lane's ramp before its shift; leaves the strip if the last lane's wraps.
void emit_ramp(StripCode& strip, const Line& line) {
  Assembler& code = strip.code;
  code.bytes({0x8b, 0x82});  // mov eax, [rdx + index]
  code.dword(static_cast<std::uint32_t>(strip.vector_offset(line.ramp.index)));
  for (const unsigned sgpr : line.ramp.addends) {
    code.bytes({0x03, 0x87});  // add eax, [rdi + sgpr]
    code.dword(4 * sgpr);
  }
  const bool with_sign = line.extension == Extension::kSign;
  const std::uint32_t largest = (with_sign ? 0x7fffffffu : ~0u) >> line.ramp.shift;
  code.bytes({0x3d});  // cmp eax, largest
  code.dword(largest - kLastLane * line.step());
  strip.leave_if(with_sign ? kIfGreater : kIfAbove);
}

/// rax = the line's value in the first lane without its bases.
void emit_index(StripCode& strip, const Line& line) {
  Assembler& code = strip.code;
  emit_ramp(strip, line);
  switch (line.extension) {
    case Extension::kZeros: break;
    case Extension::kSign: code.bytes({0x48, 0x63, 0xc0}); break;  // movsxd rax, eax
    case Extension::kPair:
      code.bytes({0x44, 0x8b, 0x9a});  // mov r11d, [rdx + upper half]
      code.dword(static_cast<std::uint32_t>(strip.vector_offset(line.ramp.index + 1)));
      code.bytes({0x49, 0xc1, 0xe3, 32});  // shl r11, 32
      code.bytes({0x4c, 0x09, 0xd8});      // or rax, r11
      break;
  }
  const unsigned shift = line.ramp.shift + line.shift;
  if (shift != 0) code.bytes({0x48, 0xc1, 0xe0, static_cast<std::uint8_t>(shift)});  // shl rax
}

}  // namespace

std::vector<Line> indices_of(std::span<const RunOp> run) {
  std::vector<Line> indices;
  for (const RunOp& step : run) {
    if (!step.line) continue;
    const bool known = std::any_of(indices.begin(), indices.end(),
                                   [&](const Line& line) { return line.same_index(*step.line); });
    if (!known) indices.push_back(*step.line);
  }
  return indices;
}

void emit_indices(StripCode& strip) {
  unsigned number = kFirstKept;
  for (const Line& line : indices_of(strip.ops())) {
    emit_lane_tests(strip, line);
    emit_index(strip, line);
    // mov [rsp - place], rax
    strip.code.bytes({0x48, 0x89, 0x44, 0x24, StripCode::kept_on_stack(number++)});
  }
}

void emit_line(StripCode& strip, const Line& line) {
  const std::vector<Line> indices = indices_of(strip.ops());
  const auto index = std::find_if(indices.begin(), indices.end(),
                                  [&](const Line& other) { return other.same_index(line); });
  const auto number = static_cast<unsigned>(index - indices.begin());
  // mov rax, [rsp - place]
  strip.code.bytes({0x48, 0x8b, 0x44, 0x24, StripCode::kept_on_stack(kFirstKept + number)});
  for (const unsigned sgpr : line.bases) emit_add_pair(strip.code, sgpr);
}

void emit_add_pair(Assembler& code, unsigned sgpr) {
  code.bytes({0x48, 0x03, 0x87});  // add rax, [rdi + sgpr]
  code.dword(4 * sgpr);
}

}  // namespace wavetank::execute::jit
