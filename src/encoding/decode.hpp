// The parts of the decoder, one function per format. Private to src/encoding.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::encoding {

/// The first two dwords (the second is 0 where the code ends) and the row the opcode led to.
struct Encoded {
  std::uint64_t words;
  const isa::Row* row;
  const isa::Target& target;
  bool lenient = false;  ///< align scalar tuples down instead of refusing odd ones

  /// The code of a scalar tuple of `dwords` registers: as encoded, or aligned if lenient.
  std::uint16_t scalar(std::uint32_t code, unsigned dwords) const {
    const std::uint32_t low = dwords <= 1 ? 0 : dwords == 2 ? 1 : 3;
    return static_cast<std::uint16_t>(lenient && code < operand::kM0 ? code & ~low : code);
  }
};

/// Why bytes are no instruction; empty when they are one.
using Problem = std::string_view;
inline constexpr Problem kBadTuple = "a register tuple is odd or passes register 255";

/// Operand codes of vector registers.
constexpr std::uint16_t vgpr(std::uint32_t number) {
  return static_cast<std::uint16_t>(operand::kVgpr0 + number);
}
constexpr std::uint16_t agpr(std::uint32_t number) {
  return static_cast<std::uint16_t>(operand::kAgpr0 + number);
}

/// A data register: the ACC bit chooses the file (CDNA3 ISA guide, "FLAT", field ACC).
constexpr std::uint16_t data_register(std::uint32_t number, bool acc) {
  return acc ? agpr(number) : vgpr(number);
}
/// An operand of vector registers.
struct VectorOperand {
  std::uint16_t& slot;
  std::uint16_t code;
  unsigned dwords;  ///< 0: the instruction does not have it
};
/// Sets those that there are, up to one that is no tuple of registers.
Problem set_registers(std::initializer_list<VectorOperand> operands);

/// Says whether `code` may be source `index` of the row (literals aside).
Problem check_source(const isa::Row& row, unsigned index, std::uint16_t code);
/// A 9-bit source field: SRC0 of e32 and all of VOP3. 255 is a literal where one is allowed.
Problem set_source(const Encoded& in, unsigned index, std::uint32_t code, bool literal_allowed,
                   Instruction& out);
/// Fills in the sources that have no field of their own.
void set_implied_sources(const isa::Row& row, Form form, Instruction& out);
/// VDST: a vector register, or a scalar one where the row says so.
Problem set_vector_destination(const Encoded& in, std::uint32_t number, Instruction& out);

/// Each fills `out` (row, form, length and all operands) from the bytes.
Problem decode_sop(const Encoded& in, Instruction& out);
Problem decode_smem(const Encoded& in, Instruction& out);
Problem decode_vop(const Encoded& in, Instruction& out);   ///< VOP1, VOP2, VOPC, SDWA and DPP
Problem decode_vop3(const Encoded& in, Instruction& out);  ///< VOP3A, VOP3B, VOP3P, VOP3P-MAI
Problem decode_ds(const Encoded& in, Instruction& out);
Problem decode_flat(const Encoded& in, Instruction& out);
Problem decode_buffer(const Encoded& in, Instruction& out);
Problem decode_image(const Encoded& in, Instruction& out);

}  // namespace wavetank::encoding
