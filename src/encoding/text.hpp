// Spelling of operands and immediates. Private to src/encoding.
#pragma once

#include <cstdint>
#include <string>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::encoding {

/// "0x1f"; negative numbers get a sign: "-0x4".
std::string hex_text(std::int64_t value);

/// A register tuple of `dwords`: "s4", "s[4:5]", "v7", "a[0:3]", "vcc", "exec_lo", "ttmp[4:5]".
std::string register_text(std::uint16_t code, unsigned dwords);

/// A source of `type`: a register, a constant or the literal.
std::string source_text(std::uint16_t code, isa::Type type, std::uint32_t literal);

/// A 32-bit literal as an operand of `type`: a number, or the name of the inline constant that has
/// the same bits.
std::string literal_text(std::uint32_t literal, isa::Type type);

/// SIMM16 of the given kind ("vmcnt(0)", "sendmsg(MSG_INTERRUPT)", "hwreg(HW_REG_MODE, 0, 4)").
std::string immediate_text(std::uint32_t imm, isa::ImmediateKind kind, const isa::Target& target);

/// The offset of ds_swizzle_b32: "swizzle(QUAD_PERM,0,1,2,3)".
std::string swizzle_text(std::uint16_t offset);

/// True for DPP controls that exist.
bool is_dpp_control(std::uint16_t control);
/// DPP_CTRL: "row_shl:1".
std::string dpp_control_text(std::uint16_t control);

/// SDWA selects: "BYTE_0" to "DWORD".
std::string_view select_text(std::uint8_t select);

}  // namespace wavetank::encoding
