// The formats of instructions: how their bits are told apart, and what moves and prints the fields
// of each. Private to src/encoding.
#pragma once

#include <cstdint>
#include <string_view>

#include "encoding/codec.hpp"
#include "encoding/print.hpp"

namespace wavetank::encoding {

/// A format with the opcode's field.
struct FormatInfo {
  isa::Format format;
  Prefix prefix;
  Field opcode;
  std::uint8_t dwords;  ///< without a literal
  std::string_view name;
  void (*code)(Codec&);  ///< moves all operands and modifiers
  void (*print)(Line&, const Instruction&);
  /// The bits that say format and opcode.
  constexpr std::uint64_t opcode_bits() const { return prefix.mask | opcode.put(~0u); }
};

/// The format of a first dword; nullptr if there is none.
const FormatInfo* format_of(std::uint32_t word);
/// The format that an instruction is written in.
const FormatInfo& format_of(const Instruction& instruction);

/// Each moves the form and all operands of an instruction of its formats.
void code_sop(Codec& codec);
void code_smem(Codec& codec);
void code_vop(Codec& codec);   ///< VOP1, VOP2, VOPC, SDWA and DPP
void code_vop3(Codec& codec);  ///< VOP3A, VOP3B, VOP3P, VOP3P-MAI
void code_ds(Codec& codec);
void code_flat(Codec& codec);
void code_buffer(Codec& codec);  ///< MUBUF, MTBUF
void code_image(Codec& codec);

/// VDST: a vector register, or a scalar one where the row says so.
void code_vector_destination(Codec& codec, Field field);
/// Fills in the sources that have no field of their own.
void set_implied_sources(Form form, Instruction& in);

}  // namespace wavetank::encoding
