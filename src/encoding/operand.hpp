// Which operand codes name a register or constant that exists, and what the constants are worth.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "encoding/instruction.hpp"

namespace wavetank::encoding {

/// True if `code` is a scalar register (SGPR, VCC, EXEC, M0, TTMP ...) with `dwords` registers from
/// there on, aligned as the hardware wants: pairs to 2, larger tuples to 4.
bool is_scalar_register(std::uint16_t code, unsigned dwords);

/// True if `code` may be a scalar source of `dwords` registers: a register, an inline constant, an
/// aperture, VCCZ, EXECZ or SCC. Literals are the caller's business.
bool is_scalar_source(std::uint16_t code, unsigned dwords);

/// True if `code` is a vector register (either file), the tuple ends within the file and starts at
/// an even register: gfx90a and gfx942 want tuples aligned to 64 bits (LLVM AMDGPUUsage,
/// "aligned VGPRs").
bool is_vector_register(std::uint16_t code, unsigned dwords);

/// The integer of an inline constant 128 to 208, or nothing.
constexpr std::optional<int> inline_integer(std::uint16_t code) {
  if (code < operand::kIntegerZero || code > operand::kIntegerLast) return std::nullopt;
  return code <= operand::kIntegerMost ? code - operand::kIntegerZero
                                       : operand::kIntegerMost - code;
}

/// A float constant: its name, and its bits in each format.
struct FloatConstant {
  std::string_view name;
  std::uint16_t half;
  std::uint32_t single;
  std::uint64_t wide;
};
/// Those that operand codes from kFloatHalf on are (CDNA3 ISA guide, "SSRC0" table).
inline constexpr std::array<FloatConstant, 9> kFloatConstants = {
    {{"0.5", 0x3800, 0x3f000000, 0x3fe0000000000000},
     {"-0.5", 0xb800, 0xbf000000, 0xbfe0000000000000},
     {"1.0", 0x3c00, 0x3f800000, 0x3ff0000000000000},
     {"-1.0", 0xbc00, 0xbf800000, 0xbff0000000000000},
     {"2.0", 0x4000, 0x40000000, 0x4000000000000000},
     {"-2.0", 0xc000, 0xc0000000, 0xc000000000000000},
     {"4.0", 0x4400, 0x40800000, 0x4010000000000000},
     {"-4.0", 0xc400, 0xc0800000, 0xc010000000000000},
     {"0.15915494", 0x3118, 0x3e22f983, 0x3fc45f306dc9c882}}};

/// True for the float constants 0.5 to -4.0 and 1/(2*pi).
constexpr bool is_inline_float(std::uint16_t code) {
  return code >= operand::kFloatHalf && code <= operand::kInverseTwoPi;
}

/// True for the integers and floats that an operand code is itself.
constexpr bool is_inline_constant(std::uint16_t code) {
  return inline_integer(code).has_value() || is_inline_float(code);
}

/// The value of an inline constant or literal as an operand of `type`: as wide as the type, or a
/// dword that every register of it is.
std::uint64_t constant_bits(std::uint16_t code, isa::Type type, std::uint32_t literal);

}  // namespace wavetank::encoding
